import { readFile } from 'node:fs/promises';
import { type Cloud, type CloudOptions, type Wiring } from '@drover/cloud-sandbox';
import { administratorAccess } from '@drover/cloud-sandbox/aws';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  kubeconfigText,
} from '@drover/cloud-sandbox/kubernetes';
import { createHttpApi, createIamAuthorizer } from '@drover/cloud-sandbox/lambda';
import {
  createRandom,
  createRealClock,
  createTimeline,
  type RealClock,
} from '@drover/cloud-sandbox/simulation';
import { type PrivateFiles, writePrivateFiles } from '@drover/cloud-sandbox/wire';
import { createDroverCloud } from '../cloud/drover-cloud.ts';
import { publishKubeconfig } from '../cloud/furnish.ts';
import { createDashboard } from '../dashboard/dashboard.ts';
import type { Recent } from '../dashboard/state/dashboard-state.ts';
import { applyManifests } from '../deployment/apply-manifests.ts';
import { loadDeployment } from '../deployment/load-deployment.ts';
import { withEtcd } from '../deployment/with-etcd.ts';
import { type Behind, openDoors, type WireDoors } from './doors.ts';
import { createEtcdPki, type EtcdPki } from './etcd/certificates.ts';
import { etcdZone } from './etcd/zone.ts';
import { functionsOverTheWire } from './functions.ts';

export interface SandboxOptions extends Pick<CloudOptions, 'onInvocation' | 'timings'> {
  /** Simulated seconds in one of the machine's. */
  readonly speed: number;
  readonly seed: number;
  /** See `WireDoorsOptions`. */
  readonly basePort: number;
  /** Puts groups and workloads in, before anybody can look. */
  readonly furnish: (sandbox: Furnishing) => Promise<void>;
  /** What the dashboard tells of the past. */
  readonly recent: () => Recent;
  readonly onLine: (functionName: string, line: string) => void;
  /** A fault of the sandbox, or something that it was refused. */
  readonly onProblem: (problem: unknown) => void;
}

export interface Furnishing {
  readonly cloud: Cloud;
  readonly clusterName: string;
  /** Creates the objects of a file of manifests. */
  readonly apply: (yaml: string) => Promise<void>;
  readonly etcdPki: EtcdPki;
}

/** A sandbox whose ports are open and whose functions run. */
export interface Sandbox {
  readonly cloud: Cloud;
  readonly clock: RealClock;
  readonly doors: WireDoors;
  readonly kubeconfig: string;
  /** Files of the client certificate with which a person reaches etcd. */
  readonly etcdClient: EtcdClientFiles;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Removes the kubeconfig and the certificates: all that outlives the process. */
  forget(): void;
  /** Closes the ports, ends the functions and removes the files. */
  close(): Promise<void>;
}

/** Paths, as curl is told them. */
export interface EtcdClientFiles {
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
}

const accountId = '123456789012';
const region = 'eu-west-1';
const clusterName = 'drover';

/** What is put in has so many simulated seconds to boot, join and start, which pass at once. */
const warmUpSeconds = 60;

/**
 * Opens a sandbox on the wire. Who knocks before everything stands waits until it does.
 *
 * @throws TemplateError where nothing is packaged; Error where a port cannot be had
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { speed, basePort, onProblem } = options;
  const clock = createRealClock({ speed, leadSeconds: warmUpSeconds });
  const [authority, etcdPki] = await Promise.all([
    createCertificateAuthority(clock.now()),
    createEtcdPki(clock.now()),
  ]);
  const behind = Promise.withResolvers<Behind>();
  const doors = await openDoors({
    basePort,
    authority,
    etcdPki,
    behind: behind.promise,
    onFault: onProblem,
  });
  const packaged = await loadDeployment({ accountId, region, sqsEndpoint: doors.aws.url });
  const wiring = withEtcd(packaged, etcdZone);
  const cloud = createWireCloud(options, { clock, authority, etcdPki, doors, wiring });
  const { kubernetes, account, lambda } = cloud;
  const admin = { sendHttp: kubernetes.sendHttp, server: doors.kubernetes.url, token: kubernetes.adminToken };
  const apply = (yaml: string): Promise<void> => applyManifests(yaml, admin);
  for (const file of ['rbac', 'flow-schema']) await apply(await readFile(`deploy/${file}.yaml`, 'utf8'));
  await options.furnish({ cloud, clusterName, apply, etcdPki });
  await createTimeline(clock, cloud.activity).pass(warmUpSeconds);
  publishKubeconfigs(cloud, { wiring, authority, doors });
  const files = await writePersonsFiles({ authority, etcdPki, doors });
  clock.start();
  lambda.start();
  // The first credential does not wait for its schedule, which comes in an hour. How it ends is reported as every invocation is.
  void lambda.invoke('bootstrap-credential', {});
  cloud.alarms.start();
  behind.resolve({
    cloud,
    httpApi: httpApiOf(cloud, { clock, speed, wiring }),
    dashboard: createDashboard({ cloud, clock, onFault: onProblem, recent: options.recent }),
  });
  const person = account.iam.putUser({ userName: 'you', policies: [administratorAccess] });
  return {
    cloud,
    clock,
    doors,
    region,
    kubeconfig: files.paths.kubeconfig,
    etcdClient: {
      certificateAuthority: files.paths['etcd-ca.crt'],
      certificate: files.paths['etcd-client.crt'],
      key: files.paths['etcd-client.key'],
    },
    accessKeyId: person.accessKeyId,
    secretAccessKey: person.secretAccessKey,
    forget: () => files.remove(),
    close: async () => {
      lambda.stop();
      clock.stop();
      lambda.recycle();
      files.remove();
      await doors.close();
    },
  };
}

interface Parts {
  readonly clock: RealClock;
  readonly authority: CertificateAuthority;
  readonly etcdPki: EtcdPki;
  readonly doors: WireDoors;
  readonly wiring: Wiring;
}

function createWireCloud(
  options: SandboxOptions,
  { clock, authority, etcdPki, doors, wiring }: Parts,
): Cloud {
  const { speed, seed, onLine, onProblem, onInvocation, timings } = options;
  return createDroverCloud({
    clock,
    wiring,
    accountId,
    region,
    clusterName,
    speed,
    onLine,
    onProblem,
    random: createRandom(seed),
    longPolling: true,
    queueUrlBase: () => doors.aws.url,
    kubernetes: {
      certificateAuthority: authority.certificate,
      heartbeats: 'written',
      signCertificate: (request) => authority.sign(request),
    },
    // Machines of etcd alone have no kubelet.
    kubelets: { configure: ({ tags }) => (tags.get('drover.dev/role') === 'etcd' ? undefined : {}) },
    etcd: {
      certificates: {
        authority: etcdPki.authority,
        serverAt: () => ({ names: etcdPki.serverNames, validUntil: etcdPki.notAfter }),
      },
    },
    runtime: functionsOverTheWire({ clock, endpoint: doors.aws.url }),
    // At another speed than the machine's people and functions sign by clocks that differ.
    ...(speed === 1 && { signingClock: clock }),
    ...(timings && { timings }),
    ...(onInvocation && { onInvocation }),
  });
}

/** Drover's own kubeconfig, for the user that deploy/rbac.yaml gives its rights to. */
function publishKubeconfigs(
  cloud: Cloud,
  { wiring, authority, doors }: Pick<Parts, 'wiring' | 'authority' | 'doors'>,
): void {
  const token = cloud.kubernetes.addToken({ username: 'drover', groups: ['drover', 'system:authenticated'] });
  const names = wiring.functions.flatMap(({ environment }) => environment.DROVER_KUBECONFIG_PARAMETER ?? []);
  for (const parameterName of new Set(names))
    publishKubeconfig(cloud, {
      parameterName,
      server: doors.kubernetes.url,
      token,
      certificateAuthority: authority.certificate,
    });
}

type FileName = 'kubeconfig' | 'etcd-ca.crt' | 'etcd-client.crt' | 'etcd-client.key';

async function writePersonsFiles({
  authority,
  etcdPki,
  doors,
}: Pick<Parts, 'authority' | 'etcdPki' | 'doors'>): Promise<PrivateFiles<FileName>> {
  const user = await authority.issueClient({ username: 'you', groups: ['system:masters'] });
  const server = doors.kubernetes.url;
  return writePrivateFiles({
    kubeconfig: kubeconfigText({ clusterName, server, certificateAuthority: authority.certificate, user }),
    'etcd-ca.crt': etcdPki.authority,
    'etcd-client.crt': etcdPki.person.certificate,
    'etcd-client.key': etcdPki.person.key,
  });
}

function httpApiOf(
  { account, lambda }: Cloud,
  { clock, speed, wiring }: Pick<Parts, 'clock' | 'wiring'> & { readonly speed: number },
) {
  const routes = wiring.routes.map((route) => ({
    ...route,
    timeoutMilliseconds: route.timeoutMilliseconds * speed,
  }));
  return createHttpApi({
    wiring: { ...wiring, routes },
    lambda,
    clock,
    random: account.random,
    authorize: createIamAuthorizer({ iam: account.iam, clock, ...(speed === 1 && { signingClock: clock }) }),
  });
}
