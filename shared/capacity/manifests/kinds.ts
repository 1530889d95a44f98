import { quoted } from './names.ts';

/** What a kind means for a plan. */
export type KindMeaning =
  | { readonly meaning: 'workload' | 'surroundings' | 'autoscaler' | 'list' | 'no pods' }
  /** Another controller makes its pods, or may make some. */
  | { readonly meaning: 'foreign'; readonly note: string }
  | { readonly meaning: 'refused'; readonly message: string };

const meaningOf = (
  meaning: 'workload' | 'surroundings' | 'autoscaler' | 'list' | 'no pods',
): KindMeaning => ({
  meaning,
});

/** The kinds that are read, by their group and version. */
const known: ReadonlyMap<string, KindMeaning> = new Map<string, KindMeaning>([
  ...['v1/Pod', 'v1/PodTemplate', 'v1/ReplicationController', 'batch/v1/Job', 'batch/v1/CronJob'].map(
    (name) => [name, meaningOf('workload')] as const,
  ),
  ...['apps/v1/Deployment', 'apps/v1/ReplicaSet', 'apps/v1/StatefulSet'].map(
    (name) => [name, meaningOf('workload')] as const,
  ),
  ...['apps/v1/DaemonSet', 'v1/PersistentVolumeClaim', 'v1/Namespace', 'storage.k8s.io/v1/StorageClass'].map(
    (name) => [name, meaningOf('surroundings')] as const,
  ),
  ['autoscaling/v1/HorizontalPodAutoscaler', meaningOf('autoscaler')],
  ['autoscaling/v2/HorizontalPodAutoscaler', meaningOf('autoscaler')],
  ['keda.sh/v1alpha1/ScaledObject', meaningOf('autoscaler')],
  ['autoscaling.k8s.io/v1/VerticalPodAutoscaler', meaningOf('autoscaler')],
]);

/** The other kinds of groups whose kinds hardly ever change, so that a kind that is not there is a mistake. */
const closedGroups: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'v1',
    new Set(
      `Binding ConfigMap Endpoints Event LimitRange Node PersistentVolume ResourceQuota Secret Service ServiceAccount`.split(
        ' ',
      ),
    ),
  ],
  ['apps/v1', new Set(['ControllerRevision'])],
  ['batch/v1', new Set<string>()],
]);

/** Groups of Kubernetes without kinds that have pods. */
const groupsWithoutPods: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

/** Versions that Kubernetes no longer has, with the version that has the kind now and the release that removed the old one. */
const removed: ReadonlyMap<string, readonly [now: string, since: string]> = new Map([
  ['extensions/v1beta1', ['apps/v1', '1.16']],
  ['apps/v1beta1', ['apps/v1', '1.16']],
  ['apps/v1beta2', ['apps/v1', '1.16']],
  ['batch/v1beta1', ['batch/v1', '1.25']],
  ['batch/v2alpha1', ['batch/v1', '1.21']],
]);

const planned: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
]);

/** Groups of well-known projects, or single kinds of them, whose controllers make pods. */
const makers: readonly RegExp[] = [
  /^argoproj\.io\/\w+\/(?:Rollout|Workflow|CronWorkflow|Application|ApplicationSet)$/,
  /^(?:serving|eventing|sources)\.knative\.dev\//,
  /^(?:kubeflow\.org|ray\.io|sparkoperator\.k8s\.io|flink\.apache\.org|workload\.codeflare\.dev)\//,
  /^(?:jobset|leaderworkerset)\.x-k8s\.io\//,
  /^(?:apps\.kruise\.io|batch\.volcano\.sh|kubevirt\.io|apps\.openshift\.io|tekton\.dev|agones\.dev)\//,
  /^(?:kafka\.strimzi\.io|postgresql\.cnpg\.io|acid\.zalan\.do|cassandra\.datastax\.com|ceph\.rook\.io)\//,
  /^(?:[a-z]+\.k8s\.elastic\.co|psmdb\.percona\.com|pxc\.percona\.com|rabbitmq\.com|databases\.spotahome\.com)\//,
  /^monitoring\.coreos\.com\/\w+\/(?:Prometheus|Alertmanager|ThanosRuler|PrometheusAgent)$/,
  /^(?:helm\.cattle\.io|helm\.toolkit\.fluxcd\.io|kustomize\.toolkit\.fluxcd\.io)\//,
  /^operator\.tigera\.io\/|^opentelemetry\.io\/|^cloud\.google\.com\/|^actions\.(?:github|summerwind)\.\w+\//,
];

/** What an object of this kind means for a plan. */
export function meaningOfKind(apiVersion: string, kind: string): KindMeaning {
  const name = `${apiVersion}/${kind}`;
  const own = known.get(name);
  if (own) return own;
  if (kind.endsWith('List')) {
    const item = meaningOfKind(apiVersion, kind.slice(0, -'List'.length));
    if (name === 'v1/List' || item.meaning !== 'foreign')
      return item.meaning === 'refused' && name !== 'v1/List' ? item : meaningOf('list');
  }
  const [now, since] = removed.get(apiVersion) ?? [];
  if (now !== undefined && planned.has(kind))
    return {
      meaning: 'refused',
      message: `Kubernetes ${since} and later have no ${apiVersion}: write apiVersion: ${now}`,
    };
  const closed = closedGroups.get(apiVersion);
  if (closed)
    return closed.has(kind) ? meaningOf('no pods') : { meaning: 'refused', message: notThere(name) };
  if (apiVersion.startsWith('kustomize.config.k8s.io/'))
    return { meaning: 'refused', message: kustomization };
  if (groupsWithoutPods.has(apiVersion.split('/')[0] ?? '')) return meaningOf('no pods');
  return {
    meaning: 'foreign',
    note: makers.some((maker) => maker.test(name))
      ? 'its controller makes pods, which are not planned'
      : 'this kind is not known here: if its controller makes pods, they are not planned',
  };
}

/** What to do with a kustomization. */
export const kustomization =
  'is a kustomization, not a manifest: run kubectl kustomize DIRECTORY | drover plan -f -';

function notThere(name: string): string {
  const [apiVersion, kind] = partsOf(name);
  const names = [...known.keys()];
  const fits =
    names.find((other) => other.toLowerCase() === name.toLowerCase()) ??
    names.find((other) => partsOf(other)[1] === kind);
  const [version, right] = partsOf(fits ?? '');
  const remedy = fits === undefined ? '' : `: write apiVersion: ${version}, kind: ${right}`;
  return `there is no kind ${quoted(kind)} in ${apiVersion}${remedy}`;
}

const partsOf = (name: string): readonly [apiVersion: string, kind: string] => [
  name.slice(0, Math.max(0, name.lastIndexOf('/'))),
  name.slice(name.lastIndexOf('/') + 1),
];
