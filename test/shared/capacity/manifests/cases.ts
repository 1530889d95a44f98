import { type ControllerText, controllerText } from './fixtures.ts';

/** A manifest, and the field that is wrong; undefined if the API server accepts it. */
export interface ManifestCase {
  readonly text: string;
  readonly wrong?: string;
  /** The API server accepts it although it is a mistake: kubectl takes the last of two keys. */
  readonly stricter?: true;
}

const good = (settings: ControllerText): ManifestCase => ({ text: controllerText(settings) });
const bad = (wrong: string, settings: ControllerText): ManifestCase => ({
  text: controllerText(settings),
  wrong,
});

const pod = 'spec.template.spec';
const container = `${pod}.containers[0]`;
const requests = `${container}.resources.requests`;

const anti = (term: string): string =>
  `affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [${term}]}}`;
const nodeTerm = (term: string): string =>
  `affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [${term}]}}}`;
const antiPath = `${pod}.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]`;
const nodePath = `${pod}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
const spread = (constraint: string): string => `topologySpreadConstraints: [${constraint}]`;
const spreadPath = `${pod}.topologySpreadConstraints`;

const claim = (spec: string): string =>
  `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: ${spec}}`;
const job = (spec: string, restartPolicy = 'Never'): string =>
  `{apiVersion: batch/v1, kind: Job, metadata: {name: load}, spec: {${spec}template: {spec: {restartPolicy: ${restartPolicy}, containers: [{name: a, image: a}]}}}}`;
const bare = (metadata: string, spec = '{containers: [{name: a, image: a}]}'): string =>
  `{apiVersion: v1, kind: Pod, metadata: ${metadata}, spec: ${spec}}`;

/** Manifests with what the API server says about them. */
export const manifestCases: Readonly<Record<string, ManifestCase>> = {
  'a Deployment': good({}),
  'a StatefulSet': good({ kind: 'StatefulSet', spec: 'serviceName: web' }),
  'a ReplicaSet without replicas': good({ kind: 'ReplicaSet', spec: 'minReadySeconds: 1' }),
  'a DaemonSet': good({ kind: 'DaemonSet', spec: 'minReadySeconds: 1' }),
  'replicas 0': good({ spec: 'replicas: 0' }),
  'replicas null': good({ spec: 'replicas: ~' }),
  'replicas 3.0': good({ spec: 'replicas: 3.0' }),
  'octal replicas': good({ spec: 'replicas: 010' }),
  'replicas 2.5': bad('spec.replicas', { spec: 'replicas: 2.5' }),
  'replicas as text': bad('spec.replicas', { spec: 'replicas: "3"' }),
  'negative replicas': bad('spec.replicas', { spec: 'replicas: -1' }),
  'replicas beyond 32 bits': bad('spec.replicas', { spec: 'replicas: 3000000000' }),
  'a misspelled replicas': bad('spec.replica', { spec: 'replica: 3' }),
  'replicas with a large letter': bad('spec.Replicas', { spec: 'Replicas: 3' }),

  'CPU as a number': good({ resources: '{requests: {cpu: 1, memory: 1e9}}' }),
  'CPU as a fraction': good({ resources: '{requests: {cpu: .5, memory: 1.5Gi}}' }),
  'quantities with exponents and signs': good({ resources: '{requests: {cpu: +1e-1, memory: 1E3}}' }),
  'memory in thousandths': good({ resources: '{requests: {memory: 512m}}' }),
  'null quantities': good({ resources: '{requests: {cpu: ~}, limits: {cpu: 1}}' }),
  'null resources': good({ resources: '~' }),
  'a limit only': good({ resources: '{limits: {cpu: 1}}' }),
  'a GPU with its limit only': good({ resources: '{limits: {nvidia.com/gpu: 1}}' }),
  'a GPU with both': good({ resources: '{limits: {nvidia.com/gpu: 1}, requests: {nvidia.com/gpu: "1"}}' }),
  'huge pages with memory': good({
    resources: '{limits: {hugepages-2Mi: 4Mi, memory: 1Gi}, requests: {memory: 1Gi}}',
  }),
  'ephemeral storage': good({ resources: '{requests: {ephemeral-storage: 1Gi}}' }),
  'a quantity that is none': bad(requests, { resources: '{requests: {cpu: 1x}}' }),
  'a quantity with a space': bad(requests, { resources: '{requests: {memory: 1 Gi}}' }),
  'an empty quantity': bad(requests, { resources: '{requests: {memory: ""}}' }),
  'a quantity with a wrong suffix': bad(requests, { resources: '{requests: {memory: 1gb}}' }),
  'a quantity that is a list': bad(requests, { resources: '{requests: {memory: [1]}}' }),
  'a quantity that is true': bad(requests, { resources: '{requests: {memory: true}}' }),
  'a negative request': bad(requests, { resources: '{requests: {memory: -1Gi}}' }),
  'a request above its limit': bad(requests, {
    resources: '{requests: {cpu: 1}, limits: {cpu: 999m}}',
  }),
  'a request above its limit by a billionth': bad(requests, {
    resources: '{requests: {cpu: 1000000001n}, limits: {cpu: 1}}',
  }),
  'a request equal to its limit in other words': good({
    resources: '{requests: {cpu: 1000m, memory: 1024Mi}, limits: {cpu: 1, memory: 1Gi}}',
  }),
  'a resource without a prefix': bad(requests, { resources: '{requests: {gpu: 1}}' }),
  'a resource with a bad name': bad(requests, { resources: '{requests: {a/b/c: 1}}' }),
  'a GPU without a limit': bad(`${container}.resources`, { resources: '{requests: {nvidia.com/gpu: 1}}' }),
  'a GPU with another limit': bad(requests, {
    resources: '{requests: {nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 2}}',
  }),
  'half a GPU': bad(`${container}.resources.limits`, { resources: '{limits: {nvidia.com/gpu: 500m}}' }),
  'huge pages without a limit': bad(`${container}.resources`, {
    resources: '{requests: {hugepages-2Mi: 4Mi, memory: 1}}',
  }),
  'resources as text': bad(`${container}.resources`, { resources: 'none' }),
  'a misspelled requests': bad(`${container}.resources.request`, { resources: '{request: {cpu: 1}}' }),

  'labels as numbers': bad('labels', { labels: '{app: web, version: 1.10}' }),
  'a null label': good({ labels: '{app: web, extra: ~}' }),
  'a label with a prefix': good({ labels: '{app: web, example.com/Tier_1: a.b_c-d}' }),
  'a label with two prefixes': bad('labels', { labels: '{app: web, a/b/c: d}' }),
  'a label with a bad value': bad('labels', { labels: '{app: web, a: -b}' }),
  'labels that the selector does not match': bad('spec.template.metadata.labels', { labels: '{app: api}' }),
  'no labels': bad('spec.template.metadata.labels', { labels: '~' }),
  'a name with large letters': bad('metadata.name', { name: 'Web' }),
  'a name with an underscore': bad('metadata.name', { name: 'my_web' }),
  'a name with a dot': good({ name: 'web.v1' }),
  'a name of 254 characters': bad('metadata.name', { name: 'a'.repeat(254) }),

  'a node selector': good({ pod: 'nodeSelector: {a: b, c: ""}' }),
  'a node selector with true': bad(`${pod}.nodeSelector`, { pod: 'nodeSelector: {a: true}' }),
  'a misspelled node selector': bad(`${pod}.nodeselector`, { pod: 'nodeselector: {a: b}' }),
  'empty lists': good({ pod: 'tolerations: []\n      initContainers: []\n      volumes: ~' }),
  'a toleration of everything': good({ pod: 'tolerations: [{operator: Exists}]' }),
  'a toleration without an operator': good({ pod: 'tolerations: [{key: a, value: b, effect: NoSchedule}]' }),
  'a toleration without a key': bad(`${pod}.tolerations[0].operator`, { pod: 'tolerations: [{value: b}]' }),
  'an empty toleration': bad(`${pod}.tolerations[0].operator`, { pod: 'tolerations: [{}]' }),
  'a toleration with a value too many': bad(`${pod}.tolerations[0]`, {
    pod: 'tolerations: [{key: a, operator: Exists, value: b}]',
  }),
  'a toleration with an unknown effect': bad(`${pod}.tolerations[0].effect`, {
    pod: 'tolerations: [{key: a, operator: Exists, effect: Never}]',
  }),

  'node affinity': good({ pod: nodeTerm('{matchExpressions: [{key: a, operator: Gt, values: ["1"]}]}') }),
  'node affinity by name': good({
    pod: nodeTerm('{matchFields: [{key: metadata.name, operator: In, values: [a]}]}'),
  }),
  'an empty term of node affinity': good({ pod: nodeTerm('{}') }),
  'node affinity without terms': bad(nodePath, { pod: nodeTerm('') }),
  'node affinity with an unknown operator': bad(`${nodePath}[0].matchExpressions[0].operator`, {
    pod: nodeTerm('{matchExpressions: [{key: a, operator: Equals, values: [b]}]}'),
  }),
  'node affinity without values': bad(`${nodePath}[0].matchExpressions[0].values`, {
    pod: nodeTerm('{matchExpressions: [{key: a, operator: In}]}'),
  }),
  'node affinity with values too many': bad(`${nodePath}[0].matchExpressions[0].values`, {
    pod: nodeTerm('{matchExpressions: [{key: a, operator: Exists, values: [b]}]}'),
  }),
  'node affinity with two numbers': bad(`${nodePath}[0].matchExpressions[0].values`, {
    pod: nodeTerm('{matchExpressions: [{key: a, operator: Lt, values: ["1", "2"]}]}'),
  }),
  'pod anti-affinity': good({
    pod: anti('{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}'),
  }),
  'pod anti-affinity without a topology': bad(`${antiPath}.topologyKey`, {
    pod: anti('{labelSelector: {matchLabels: {app: web}}}'),
  }),
  'pod anti-affinity with an operator of nodes': bad(
    `${antiPath}.labelSelector.matchExpressions[0].operator`,
    {
      pod: anti(
        '{topologyKey: a, labelSelector: {matchExpressions: [{key: a, operator: Gt, values: ["1"]}]}}',
      ),
    },
  ),
  'pod anti-affinity that is a map': bad('podAntiAffinity', {
    pod: 'affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {topologyKey: a}}}',
  }),
  'a misspelled affinity': bad(`${pod}.affinity.podAntiaffinity`, { pod: 'affinity: {podAntiaffinity: {}}' }),

  spread: good({
    pod: spread(
      '{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, minDomains: 3, labelSelector: {}, matchLabelKeys: [pod-template-hash]}',
    ),
  }),
  'spread without a skew': bad(`${spreadPath}[0].maxSkew`, {
    pod: spread('{topologyKey: a, whenUnsatisfiable: DoNotSchedule}'),
  }),
  'spread with the skew 0': bad(`${spreadPath}[0].maxSkew`, {
    pod: spread('{maxSkew: 0, topologyKey: a, whenUnsatisfiable: DoNotSchedule}'),
  }),
  'spread without a topology': bad(`${spreadPath}[0].topologyKey`, {
    pod: spread('{maxSkew: 1, whenUnsatisfiable: DoNotSchedule}'),
  }),
  'spread without an action': bad(`${spreadPath}[0].whenUnsatisfiable`, {
    pod: spread('{maxSkew: 1, topologyKey: a}'),
  }),
  'spread with minDomains and ScheduleAnyway': bad(`${spreadPath}[0].minDomains`, {
    pod: spread('{maxSkew: 1, topologyKey: a, whenUnsatisfiable: ScheduleAnyway, minDomains: 2}'),
  }),
  'spread twice over one topology': bad(`${spreadPath}[1]`, {
    pod: spread(
      '{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}, {maxSkew: 2, topologyKey: a, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}',
    ),
  }),

  'a Pod': { text: bare('{name: a}') },
  'a Pod with no name': { text: bare('{labels: {a: b}}'), wrong: 'name' },
  'a Pod with a generated name': { text: bare('{generateName: a-}') },
  'a Pod without containers': { text: bare('{name: a}', '{containers: []}'), wrong: 'spec.containers' },
  'a Pod without an image': {
    text: bare('{name: a}', '{containers: [{name: a}]}'),
    wrong: 'spec.containers[0].image',
  },
  'a container without a name': {
    text: bare('{name: a}', '{containers: [{image: a}]}'),
    wrong: 'spec.containers[0].name',
  },
  'two containers of one name': {
    text: bare('{name: a}', '{containers: [{name: a, image: a}, {name: a, image: b}]}'),
    wrong: 'spec.containers[1].name',
  },
  'a container with the name of an init container': {
    text: bare('{name: a}', '{initContainers: [{name: a, image: a}], containers: [{name: a, image: b}]}'),
    wrong: 'name',
  },
  'a container that is null': { text: bare('{name: a}', '{containers: [~]}'), wrong: 'spec.containers[0]' },
  'a host port': {
    text: bare(
      '{name: a}',
      '{containers: [{name: a, image: a, ports: [{containerPort: 80, hostPort: 80}]}]}',
    ),
  },
  'a host port twice': {
    text: bare(
      '{name: a}',
      '{containers: [{name: a, image: a, ports: [{containerPort: 80, hostPort: 80}, {containerPort: 81, hostPort: 80}]}]}',
    ),
    wrong: 'spec.containers[0].ports[1].hostPort',
  },
  'another host port with the network of the host': {
    text: bare(
      '{name: a}',
      '{hostNetwork: true, containers: [{name: a, image: a, ports: [{containerPort: 80, hostPort: 81}]}]}',
    ),
    wrong: 'spec.containers[0].ports[0].hostPort',
  },
  'a port as text': {
    text: bare('{name: a}', '{containers: [{name: a, image: a, ports: [{containerPort: "80"}]}]}'),
    wrong: 'containerPort',
  },
  'a port above 65535': {
    text: bare('{name: a}', '{containers: [{name: a, image: a, ports: [{containerPort: 65536}]}]}'),
    wrong: 'spec.containers[0].ports[0].containerPort',
  },
  'a protocol in small letters': {
    text: bare(
      '{name: a}',
      '{containers: [{name: a, image: a, ports: [{containerPort: 80, protocol: tcp}]}]}',
    ),
    wrong: 'spec.containers[0].ports[0].protocol',
  },
  'pod-level resources': {
    text: bare('{name: a}', '{resources: {requests: {cpu: 1}}, containers: [{name: a, image: a}]}'),
  },
  'a volume without a name': {
    text: bare('{name: a}', '{volumes: [{emptyDir: {}}], containers: [{name: a, image: a}]}'),
    wrong: 'spec.volumes[0].name',
  },
  'a claim without a name': {
    text: bare(
      '{name: a}',
      '{volumes: [{name: v, persistentVolumeClaim: {}}], containers: [{name: a, image: a}]}',
    ),
    wrong: 'spec.volumes[0].persistentVolumeClaim.claimName',
  },
  'a Deployment that does not restart': bad(`${pod}.restartPolicy`, { pod: 'restartPolicy: Never' }),

  'a Job': { text: job('') },
  'an Indexed Job': { text: job('completionMode: Indexed, completions: 3, ') },
  'an Indexed Job of one pod': { text: job('completionMode: Indexed, ') },
  'an Indexed Job without completions': {
    text: job('completionMode: Indexed, parallelism: 2, '),
    wrong: 'spec.completions',
  },
  'a Job that always restarts': { text: job('', 'Always'), wrong: 'spec.template.spec.restartPolicy' },
  'a Job with negative parallelism': { text: job('parallelism: -1, '), wrong: 'spec.parallelism' },
  'a claim': { text: claim('{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}') },
  'a claim without access modes': {
    text: claim('{resources: {requests: {storage: 1Gi}}}'),
    wrong: 'spec.accessModes',
  },
  'a claim without a size': { text: claim('{accessModes: [ReadWriteOnce]}'), wrong: 'spec.resources' },
  'a claim with an unknown mode': {
    text: claim('{accessModes: [RWO], resources: {requests: {storage: 1Gi}}}'),
    wrong: 'spec.accessModes',
  },
  'a key twice': { text: bare('{name: a, name: b}'), wrong: 'name', stricter: true },
  'an unknown kind of a known group': {
    text: '{apiVersion: apps/v1, kind: Deploymnet, metadata: {name: a}}',
    wrong: 'kind',
  },
  'a kind of another group': {
    text: '{apiVersion: v1, kind: Deployment, metadata: {name: a}}',
    wrong: 'kind',
  },
  'a version that is gone': {
    text: '{apiVersion: extensions/v1beta1, kind: Deployment, metadata: {name: a}}',
    wrong: 'kind',
  },
  'a template of pods': {
    text: '{apiVersion: v1, kind: PodTemplate, metadata: {name: a}, template: {spec: {containers: [{name: a, image: a}]}}}',
  },
  'a ReplicationController without a selector': {
    text: '{apiVersion: v1, kind: ReplicationController, metadata: {name: a}, spec: {template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}}',
  },
};
