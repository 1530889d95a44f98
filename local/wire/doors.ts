import type { Cloud } from '@drover/cloud-sandbox';
import { answerMessage, type DnsDoor, openDnsDoor } from '@drover/cloud-sandbox/dns';
import {
  type CertificateAuthority,
  type KubernetesServer,
  serveKubernetes,
} from '@drover/cloud-sandbox/kubernetes';
import type { HttpApi } from '@drover/cloud-sandbox/lambda';
import {
  answerHttpApi,
  type HttpDoor,
  openAtOrNear,
  openHttpDoor,
  startAwsServer,
} from '@drover/cloud-sandbox/wire';
import type { Dashboard } from '../dashboard/dashboard.ts';
import type { EtcdPki } from './etcd/certificates.ts';
import { type EtcdDoors, openEtcdDoors } from './etcd/doors.ts';

/** What stands behind the doors: whoever knocks before it is there waits. */
export interface Behind {
  readonly cloud: Cloud;
  readonly httpApi: HttpApi;
  readonly dashboard: Dashboard;
}

export interface WireDoors {
  readonly aws: HttpDoor;
  readonly kubernetes: KubernetesServer;
  readonly httpApi: HttpDoor;
  readonly dashboard: HttpDoor;
  /** The name servers of the hosted zones. */
  readonly dns: DnsDoor;
  /** The client ports of etcd's members. */
  readonly etcd: EtcdDoors;
  /** Wanted ports that were somebody else's. */
  readonly takenPorts: readonly number[];
  close(): Promise<void>;
}

export interface WireDoorsOptions {
  /** The AWS endpoint's; the others take the seven after it. 0: any that are free. */
  readonly basePort: number;
  readonly authority: CertificateAuthority;
  readonly etcdPki: EtcdPki;
  readonly behind: Promise<Behind>;
  readonly onFault: (error: unknown) => void;
}

/** Opens every port of the sandbox, on the loopback address, each near its wish where that is taken. */
export async function openDoors({
  basePort,
  authority,
  etcdPki,
  behind,
  onFault,
}: WireDoorsOptions): Promise<WireDoors> {
  const front = async () => (await behind).cloud.account.front;
  const wish = (offset: number): number => (basePort === 0 ? 0 : basePort + offset);
  const [aws, kubernetes, httpApi, dashboard, dns, etcd] = await Promise.all([
    openAtOrNear(wish(0), (port) =>
      startAwsServer({
        front: { handle: async (request) => await (await front()).handle(request) },
        port,
        onFault,
      }),
    ),
    openAtOrNear(wish(1), (port) =>
      serveKubernetes({
        handle: async (request) => await (await behind).cloud.kubernetes.handle(request),
        authority,
        port,
      }),
    ),
    openAtOrNear(wish(2), (port) =>
      openHttpDoor({
        port,
        onFault,
        answer: async (request, response) => answerHttpApi(request, response, (await behind).httpApi),
      }),
    ),
    openAtOrNear(wish(3), (port) =>
      openHttpDoor({
        port,
        onFault,
        answer: async (request, response) => (await behind).dashboard(request, response),
      }),
    ),
    openAtOrNear(wish(4), (port) =>
      openDnsDoor({
        port,
        onFault,
        answer: async (message, transport) => {
          const { route53 } = (await behind).cloud.account;
          return answerMessage(message, { zones: route53.controls.served, transport });
        },
      }),
    ),
    openEtcdDoors({
      basePort: wish(5),
      pki: etcdPki,
      world: async () => (await behind).cloud.etcd.world,
    }),
  ]);
  const doors = {
    aws: aws.opened,
    kubernetes: kubernetes.opened,
    httpApi: httpApi.opened,
    dashboard: dashboard.opened,
    dns: dns.opened,
    etcd,
  };
  return {
    ...doors,
    takenPorts: [
      ...[aws, kubernetes, httpApi, dashboard, dns].flatMap(({ takenPort }) => takenPort ?? []),
      ...etcd.takenPorts,
    ],
    close: async () => {
      await Promise.all(Object.values(doors).map((door) => door.close()));
    },
  };
}
