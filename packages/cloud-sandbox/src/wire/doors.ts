import { startAwsServer } from '../aws/wire/server.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { answerMessage } from '../dns/answer.ts';
import { type DnsDoor, openDnsDoor } from '../dns/wire/dns-door.ts';
import type { EtcdServerOptions } from '../etcd/wire/server.ts';
import type { CertificateAuthority } from '../kubernetes/wire/certificates.ts';
import { type KubernetesServer, serveKubernetes } from '../kubernetes/wire/server.ts';
import type { HttpApi } from '../lambda/http-api/http-api.ts';
import { type EtcdPorts, openEtcdPorts } from './etcd-ports.ts';
import { answerHttpApi } from './http-api-door.ts';
import { type HttpDoor, openHttpDoor } from './http-door.ts';
import { openAtOrNear } from './ports.ts';

/** What answers at the ports. A request that comes before it is there waits for it. */
export interface Behind {
  readonly cloud: Pick<Cloud, 'account' | 'kubernetes' | 'etcd'>;
  readonly httpApi: HttpApi;
}

export interface WireDoors {
  readonly aws: HttpDoor;
  readonly kubernetes: KubernetesServer;
  /** API Gateway's HTTP API. */
  readonly httpApi: HttpDoor;
  /** The name servers of the hosted zones. */
  readonly dns: DnsDoor;
  /** The client ports of etcd's members. */
  readonly etcd: EtcdPorts;
  /** Wanted ports that are in use. */
  readonly takenPorts: readonly number[];
  close(): Promise<void>;
}

/** Wanted ports; 0 or absent: any that is free. */
export interface WirePorts {
  readonly aws?: number;
  readonly kubernetes?: number;
  readonly httpApi?: number;
  readonly dns?: number;
  /** As many members of etcd as have a port. */
  readonly etcd?: readonly number[];
}

export interface WireDoorsOptions {
  readonly ports: WirePorts;
  readonly authority: CertificateAuthority;
  /** PEM of etcd's servers; absent: etcd has no ports. */
  readonly etcdTls?: EtcdServerOptions['tls'] | undefined;
  readonly behind: Promise<Behind>;
  readonly onFault: (error: unknown) => void;
}

/** Opens every port of the sandbox on the loopback address, at another port where the wanted one is in use. */
export async function openDoors(options: WireDoorsOptions): Promise<WireDoors> {
  const { ports, authority, etcdTls, behind, onFault } = options;
  const account = async () => (await behind).cloud.account;
  const [aws, kubernetes, httpApi, dns, etcd] = await Promise.all([
    openAtOrNear(ports.aws ?? 0, (port) =>
      startAwsServer({
        front: { handle: async (request) => await (await account()).front.handle(request) },
        issuerDocument: async (path, base) => (await account()).iam.tokenIssuer.document(path, base),
        port,
        onFault,
      }),
    ),
    openAtOrNear(ports.kubernetes ?? 0, (port) =>
      serveKubernetes({
        handle: async (request) => await (await behind).cloud.kubernetes.handle(request),
        authority,
        port,
      }),
    ),
    openAtOrNear(ports.httpApi ?? 0, (port) =>
      openHttpDoor({
        port,
        onFault,
        answer: async (request, response) => answerHttpApi(request, response, (await behind).httpApi),
      }),
    ),
    openAtOrNear(ports.dns ?? 0, (port) =>
      openDnsDoor({
        port,
        onFault,
        answer: async (message, transport) =>
          answerMessage(message, { zones: (await account()).route53.controls.served, transport }),
      }),
    ),
    etcdTls
      ? openEtcdPorts({
          ports: ports.etcd ?? [0, 0, 0],
          tls: etcdTls,
          world: async () => (await behind).cloud.etcd.world,
        })
      : noEtcdPorts,
  ]);
  const doors = {
    aws: aws.opened,
    kubernetes: kubernetes.opened,
    httpApi: httpApi.opened,
    dns: dns.opened,
    etcd,
  };
  return {
    ...doors,
    takenPorts: [
      ...[aws, kubernetes, httpApi, dns].flatMap(({ takenPort }) => takenPort ?? []),
      ...etcd.takenPorts,
    ],
    close: async () => {
      await Promise.all(Object.values(doors).map((door) => door.close()));
    },
  };
}

const noEtcdPorts: EtcdPorts = { urls: [], takenPorts: [], close: () => Promise.resolve() };
