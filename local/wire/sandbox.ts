import { readFile } from 'node:fs/promises';
import type { Cloud, CloudOptions, Wiring } from '@drover/cloud-sandbox';
import type { FunctionRuntime } from '@drover/cloud-sandbox/lambda';
import { createRealClock } from '@drover/cloud-sandbox/simulation';
import {
  type FurnishedSandbox,
  type HttpDoor,
  openAtOrNear,
  openHttpDoor,
  openSandbox as openWireSandbox,
  type WireDoors,
  type WirePorts,
  type WireSandbox,
} from '@drover/cloud-sandbox/wire';
import { droverSettings } from '../cloud/drover-cloud.ts';
import { userDataOfEtcd } from '../cloud/etcd-user-data.ts';
import { publishKubeconfig } from '../cloud/furnish.ts';
import {
  bootstrapperParameter,
  furnishBootstrapper,
  manifestsFor311,
  release311,
  withoutBootstrap,
} from '../cloud/openshift-3.11.ts';
import { roleOf } from '../cloud/role.ts';
import { createDashboard } from '../dashboard/dashboard.ts';
import type { Recent } from '../dashboard/state/dashboard-state.ts';
import { applyManifests } from '../deployment/apply-manifests.ts';
import { loadDeployment } from '../deployment/load-deployment.ts';
import { loadReleasedStage, type ReleaseDeployment } from '../deployment/load-release.ts';
import { withEtcd } from '../deployment/with-etcd.ts';
import { clusterName } from '../names.ts';
import type { AuthorsCluster } from '../story/seeds/step.ts';
import { createEtcdPki, type EtcdPki } from './etcd-certificates.ts';
import { etcdZone } from './etcd-zone.ts';
import { functionsOverTheWire } from './functions.ts';

export interface SandboxOptions extends Pick<CloudOptions, 'onInvocation' | 'timings' | 'requestLimits'> {
  /** Simulated seconds in one of the machine's. */
  readonly speed: number;
  readonly seed: number;
  /** The AWS endpoint's; the others take the seven after it. 0: any that are free. */
  readonly basePort: number;
  /** What `npm run release` wrote; absent: what `npm run package` wrote. */
  readonly release?: string;
  /** The cluster of a document's author; absent: that of the usual story. */
  readonly cluster?: AuthorsCluster | undefined;
  /** Creates groups and workloads before the ports open. */
  readonly furnish: (sandbox: Furnishing) => Promise<void>;
  /** False if nodes join without Drover's credential and approval, as on EKS. Default: true. */
  readonly nodesAsk?: boolean;
  /** False if the first credential waits for its schedule or for someone who makes it. Default: true. */
  readonly makesCredential?: boolean;
  /** Wraps the functions that Lambda invokes, for example to kill some of them. */
  readonly aroundRuntime?: (runtime: FunctionRuntime) => FunctionRuntime;
  /** The past events on the dashboard. */
  readonly recent: () => Recent;
  readonly onLine: (functionName: string, line: string) => void;
  /** A fault of the sandbox, or something that it was refused. */
  readonly onProblem: (problem: unknown) => void;
}

export interface Furnishing {
  readonly cloud: Cloud;
  /** Creates the objects of a file of manifests. */
  readonly apply: (yaml: string) => Promise<void>;
  readonly etcdPki: EtcdPki;
}

/** The sandbox on the wire, with Drover deployed in it and the dashboard beside it. */
export interface Sandbox
  extends Pick<
    WireSandbox,
    'cloud' | 'clock' | 'region' | 'accessKeyId' | 'secretAccessKey' | 'forget' | 'close'
  > {
  readonly doors: WireDoors & { readonly dashboard: HttpDoor };
  readonly kubeconfig: string;
  /** Files of the client certificate with which a user reaches etcd. */
  readonly etcdClient: EtcdClientFiles;
}

/** Paths, as curl takes them. */
export interface EtcdClientFiles {
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
}

/** What is put in has so many simulated seconds to boot, join and start, which pass at once. */
const warmUpSeconds = 60;

/**
 * Opens a sandbox on the wire, as the package does, with the packaged template deployed in it.
 *
 * @throws TemplateError if nothing is packaged; Error if a port is taken
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { onProblem, basePort, aroundRuntime = (one: FunctionRuntime) => one } = options;
  const etcdPki = await createEtcdPki(createRealClock({ speed: options.speed }).now());
  const { authority, server, serverNames: names, notAfter: validUntil, person } = etcdPki;
  let isOpen = false;
  const is311 = options.cluster === 'openshift-3.11';
  const sandbox: WireSandbox<'etcd-ca.crt' | 'etcd-client.crt' | 'etcd-client.key'> = await openWireSandbox({
    ...options,
    ...droverSettings({
      clusterName,
      // Only machines of etcd have no kubelet.
      kubelets: {
        configure: (instance) => (roleOf(instance) === 'etcd' ? undefined : {}),
        // The first nodes are older than Drover.
        ask: {
          asks: (instance) => isOpen && options.nodesAsk !== false && roleOf(instance) === 'worker',
          bootstrapParameter: () => (is311 ? bootstrapperParameter : bootstrapParameterOf(sandbox.cloud)),
        },
      },
      etcd: {
        userData: userDataOfEtcd(clusterName, ['etcd', 'control-plane']),
        certificates: { authority, serverAt: () => ({ names, validUntil }) },
      },
    }),
    ...(is311 && { kubernetes: release311 }),
    clusterName,
    warmUpSeconds,
    ports: portsFrom(basePort),
    etcdTls: { authority, ...server },
    onFault: onProblem,
    deploy: async ({ url, ...place }) => {
      const wiring = withEtcd(await load({ ...place, sqsEndpoint: url }, options.release), etcdZone);
      return is311 ? withoutBootstrap(wiring) : wiring;
    },
    runtime: (place) => {
      const functions = functionsOverTheWire(place);
      return (parts) => aroundRuntime(functions(parts));
    },
    furnish: (opened) => furnishDrover(opened, options, etcdPki),
    privateFiles: {
      'etcd-ca.crt': authority,
      'etcd-client.crt': person.certificate,
      'etcd-client.key': person.key,
    },
  });
  isOpen = true;
  // The first credential does not wait for its schedule, which comes in an hour. How it ends is reported as every invocation is.
  if (options.makesCredential !== false && !is311)
    void sandbox.cloud.lambda.invoke('bootstrap-credential', {});
  const dashboard = await openDashboard(sandbox, options);
  const { doors, files } = sandbox;
  return {
    ...sandbox,
    doors: {
      ...doors,
      dashboard: dashboard.opened,
      takenPorts: [...doors.takenPorts, ...(dashboard.takenPort ? [dashboard.takenPort] : [])],
    },
    kubeconfig: files.kubeconfig,
    etcdClient: {
      certificateAuthority: files['etcd-ca.crt'],
      certificate: files['etcd-client.crt'],
      key: files['etcd-client.key'],
    },
    close: async () => {
      await Promise.all([sandbox.close(), dashboard.opened.close()]);
    },
  };
}

const load = (
  place: Omit<ReleaseDeployment, 'directory' | 'parameters' | 'stackName'>,
  release: string | undefined,
) => (release === undefined ? loadDeployment(place) : loadReleasedStage(place, release));

const bootstrapParameterOf = ({ lambda }: Cloud): string =>
  lambda.functionOf('bootstrap-credential').environment.DROVER_BOOTSTRAP_PARAMETER ?? '';

const dashboardOffset = 3;

/** The dashboard's port is between that of the HTTP API and that of DNS. */
function portsFrom(basePort: number): WirePorts {
  const at = (offset: number): number => (basePort === 0 ? 0 : basePort + offset);
  return { aws: at(0), kubernetes: at(1), httpApi: at(2), dns: at(4), etcd: [at(5), at(6), at(7)] };
}

function openDashboard({ cloud, clock }: Pick<Sandbox, 'cloud' | 'clock'>, options: SandboxOptions) {
  const { basePort, recent, onProblem: onFault } = options;
  const answer = createDashboard({ cloud, clock, onFault, recent });
  return openAtOrNear(basePort === 0 ? 0 : basePort + dashboardOffset, (port) =>
    openHttpDoor({ port, answer, onFault }),
  );
}

async function furnishDrover(
  opened: FurnishedSandbox,
  { furnish, cluster }: Pick<SandboxOptions, 'furnish' | 'cluster'>,
  etcdPki: EtcdPki,
): Promise<void> {
  const { cloud, kubernetesUrl: server } = opened;
  const { sendHttp, adminToken: token } = cloud.kubernetes;
  const is311 = cluster === 'openshift-3.11';
  const apply = (yaml: string): Promise<void> =>
    applyManifests(is311 ? manifestsFor311(yaml) : yaml, { sendHttp, server, token });
  if (is311) furnishBootstrapper(cloud, server);
  for (const file of is311 ? ['rbac'] : ['rbac', 'flow-schema'])
    await apply(await readFile(`deploy/${file}.yaml`, 'utf8'));
  await furnish({ cloud, apply, etcdPki });
  publishKubeconfigs(opened);
}

/** Drover's own kubeconfig, for the user that deploy/rbac.yaml gives its rights to. */
function publishKubeconfigs({
  cloud,
  wiring,
  kubernetesUrl: server,
  certificateAuthority,
}: FurnishedSandbox) {
  const token = cloud.kubernetes.addToken({ username: 'drover', groups: ['drover', 'system:authenticated'] });
  for (const parameterName of kubeconfigParameters(wiring))
    publishKubeconfig(cloud, { parameterName, server, token, certificateAuthority });
}

const kubeconfigParameters = ({ functions }: Wiring): ReadonlySet<string> =>
  new Set(functions.flatMap(({ environment }) => environment.DROVER_KUBECONFIG_PARAMETER ?? []));
