import type { BootScripts } from './boot-scripts.ts';
import { isRemovedFlag, removedSince } from './removed-flags.ts';
import type { NodeSettings } from './settings.ts';

/** Features of user data that not every flavour supports. The values are the flags, for messages. */
export const features = {
  ssm: '--credential ssm',
  iam: '--credential iam',
  controlPlane: '--role control-plane',
  init: '--init',
  kubernetesVersion: '--kubernetes-version',
  endpoint: '--endpoint',
  certificateAuthority: '--certificate-authority',
  serviceCidr: '--service-cidr',
  podCidr: '--pod-cidr',
  clusterDns: '--cluster-dns',
  labels: '--label',
  taints: '--taint',
  kubeletFlags: '--kubelet-flag',
  maxPods: '--max-pods and --instance-type',
  instanceIdName: '--node-name instance-id',
  kubelet: '--kubelet',
  etcdEndpoints: '--etcd-endpoint',
  etcdDomain: '--etcd-domain',
  registryParameter: '--registry-parameter',
  nodeConfig: '--node-config',
  nodeService: '--node-service',
} as const;

export type Feature = keyof typeof features;
type Reasons = Partial<Record<Feature, string>>;

/** One way in which machines become nodes: which settings it takes, and how its user data is written. */
export interface Flavour {
  /** One line for the help. */
  readonly description: string;
  /** What it cannot do, with the reason. */
  readonly cannot: Reasons;
  /** What it cannot do without, with where to find it. */
  readonly needs: Reasons;
  /** What else is wrong with these settings, which are valid by themselves. */
  readonly problems?: (settings: NodeSettings) => readonly string[];
  /** What the person may not expect of these settings. */
  readonly warnings?: (settings: NodeSettings) => readonly string[];
  /** The parameters that an instance reads when it boots. */
  readonly parameters: (settings: NodeSettings) => readonly string[];
  /** The reason if its reader does not accept gzip; undefined if it does. */
  readonly noGzip?: string;
  /** The user data. Pure. */
  readonly render: (settings: NodeSettings, scripts: BootScripts) => string;
  /** Its control planes, if they are made in another way than its workers. */
  readonly controlPlane?: Flavour;
}

/** What these settings ask for. */
export function featuresOf(settings: NodeSettings): ReadonlySet<Feature> {
  const given = Object.entries({
    ssm: settings.credential === 'ssm',
    iam: settings.credential === 'iam',
    controlPlane: settings.role === 'control-plane',
    init: settings.init,
    kubernetesVersion: settings.kubernetesVersion !== undefined,
    endpoint: settings.endpoint !== undefined,
    certificateAuthority: settings.certificateAuthority !== undefined,
    serviceCidr: settings.serviceCidr !== undefined,
    podCidr: settings.podCidr !== undefined,
    clusterDns: settings.clusterDns !== undefined,
    labels: settings.labels.length > 0,
    taints: settings.taints.length > 0,
    kubeletFlags: settings.kubeletFlags.length > 0,
    maxPods: settings.maxPods !== undefined,
    instanceIdName: settings.nodeName === 'instance-id',
    kubelet: settings.kubelet !== undefined,
    etcdEndpoints: settings.etcdEndpoints.length > 0,
    etcdDomain: settings.etcdDomain !== undefined,
    registryParameter: settings.registryParameter !== undefined,
    nodeConfig: settings.nodeConfig !== undefined,
    nodeService: settings.nodeService !== undefined,
  } satisfies Record<Feature, boolean>);
  return new Set(given.filter(([, isGiven]) => isGiven).map(([feature]) => feature as Feature));
}

/** Flags that user data sets itself: given twice, the last one would win in silence. */
export const ownFlags: ReadonlySet<string> = new Set([
  'bootstrap-kubeconfig',
  'config',
  'hostname-override',
  'kubeconfig',
  'node-labels',
  'provider-id',
  'register-with-taints',
]);

/** Of flags given twice the last one would win in silence. */
const repeatedFlags = ({ kubeletFlags }: NodeSettings): ReadonlySet<string> =>
  new Set(kubeletFlags.map(({ name }) => name).filter((name, place, all) => all.indexOf(name) !== place));

/** Everything for which the flavour cannot make user data of these settings. Pure. */
export function problemsOf(flavour: Flavour, settings: NodeSettings): readonly string[] {
  const given = featuresOf(settings);
  const entries = (reasons: Reasons) => Object.entries(reasons) as readonly (readonly [Feature, string])[];
  return [
    ...entries(flavour.cannot)
      .filter(([feature]) => given.has(feature))
      .map(([feature, reason]) => `${features[feature]} is refused: ${reason}`),
    ...entries(flavour.needs)
      .filter(([feature]) => !given.has(feature))
      .map(([feature, remedy]) => `${features[feature]} is missing: ${remedy}`),
    ...settings.kubeletFlags
      .filter(({ name }) => ownFlags.has(name))
      .map(({ name }) => `--kubelet-flag ${name} is refused: the user data sets it itself`),
    ...settings.kubeletFlags
      .filter(({ name }) => isRemovedFlag(name, settings.kubernetesVersion ?? '1.0'))
      .map(
        ({ name }) =>
          `--kubelet-flag ${name} is refused: kubelets have no such flag from Kubernetes ${removedSince(name)} on, and do not start with it`,
      ),
    ...[...repeatedFlags(settings)].map(
      (name) => `--kubelet-flag ${name} is given twice, and a kubelet takes one`,
    ),
    ...settings.kubeletFlags
      .filter(({ name }) => name === 'max-pods' && settings.maxPods !== undefined)
      .map(
        () => '--kubelet-flag max-pods is refused beside --max-pods and --instance-type: give one of them',
      ),
    ...settings.kubeletFlags
      .filter(({ name }) => name === 'cluster-dns' && settings.clusterDns !== undefined)
      .map(() => '--kubelet-flag cluster-dns is refused beside --cluster-dns: give one of them'),
    ...(flavour.problems?.(settings) ?? []),
  ];
}
