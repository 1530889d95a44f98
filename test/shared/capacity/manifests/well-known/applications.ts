import { apart, claim, foreign, type Shapes, small, storageClass, workload } from './shape.ts';

/** Applications and databases in the shape of those that well-known projects publish, written for this test. */
export const applications: Shapes = {
  'the guestbook of the Kubernetes tutorials': {
    documents: [
      small('frontend', 3, '{cpu: 100m, memory: 100Mi}'),
      small('redis-leader', 1, '{cpu: 100m, memory: 100Mi}'),
      small('redis-follower', 2, '{cpu: 100m, memory: 100Mi}'),
      '{apiVersion: v1, kind: Service, metadata: {name: frontend}}',
    ],
    workloads: [
      ['Deployment', 'frontend', 3, 100, 100],
      ['Deployment', 'redis-leader', 1, 100, 100],
      ['Deployment', 'redis-follower', 2, 100, 100],
    ],
    newNodes: 0,
    notes: [/^skipped, without pods: 1 Service$/],
  },
  'Cassandra with a claim for each pod': {
    documents: [
      workload('cassandra', {
        kind: 'StatefulSet',
        spec: `replicas: 3\n  serviceName: cassandra\n  ${claim('1Gi')}`,
        resources: '{limits: {cpu: 500m, memory: 1Gi}, requests: {cpu: 500m, memory: 1Gi}}',
      }),
      storageClass,
    ],
    workloads: [['StatefulSet', 'cassandra', 3, 500, 1024]],
    newNodes: 0,
  },
  'an ensemble of ZooKeeper, whose pods must be on different hosts': {
    documents: [
      workload('zk', {
        kind: 'StatefulSet',
        spec: 'replicas: 3\n  podManagementPolicy: OrderedReady',
        pod: apart('zk'),
        resources: '{requests: {cpu: "0.5", memory: 1Gi}}',
      }),
      '{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: zk}}',
    ],
    workloads: [['StatefulSet', 'zk', 3, 500, 1024]],
    newNodes: 2,
    notes: [/1 PodDisruptionBudget/],
  },
  'a shop of eleven microservices': {
    documents: [
      ...['frontend', 'currency', 'checkout', 'email', 'payment', 'shipping', 'catalog'].map((name) =>
        small(name, 1, '{cpu: 100m, memory: 64Mi}'),
      ),
      small('ads', 1, '{cpu: 200m, memory: 180Mi}'),
      small('cart', 1, '{cpu: 200m, memory: 64Mi}'),
      small('recommendation', 1, '{cpu: 100m, memory: 220Mi}'),
      small('loadgenerator', 1, '{cpu: 300m, memory: 256Mi}'),
    ],
    workloads: [
      ...['frontend', 'currency', 'checkout', 'email', 'payment', 'shipping', 'catalog'].map(
        (name) => ['Deployment', name, 1, 100, 64] as const,
      ),
      ['Deployment', 'ads', 1, 200, 180],
      ['Deployment', 'cart', 1, 200, 64],
      ['Deployment', 'recommendation', 1, 100, 220],
      ['Deployment', 'loadgenerator', 1, 300, 256],
    ],
    newNodes: 0,
  },
  'a highly available Redis with a proxy, all without requests': {
    documents: [
      workload('redis', { kind: 'StatefulSet', spec: 'replicas: 3', pod: apart('redis'), resources: '{}' }),
      workload('haproxy', { spec: 'replicas: 3', pod: apart('haproxy'), resources: '{}' }),
    ],
    workloads: [
      ['StatefulSet', 'redis', 3, 0, 0],
      ['Deployment', 'haproxy', 3, 0, 0],
    ],
    newNodes: 2,
  },
  'a model server with one GPU, for which no node has one': {
    documents: [
      workload('model', {
        spec: 'replicas: 1',
        resources: '{limits: {nvidia.com/gpu: 1}, requests: {cpu: 2, memory: 10Gi}}',
      }),
      foreign('kubeflow.org/v1', 'PyTorchJob'),
    ],
    workloads: [['Deployment', 'model', 1, 2000, 10_240]],
    newNodes: 0,
    notes: [/^PyTorchJob of .* main: its controller makes pods/],
  },
  'Elasticsearch with a hard anti-affinity, and a setting of the kernel before it starts': {
    documents: [
      workload('elasticsearch', {
        kind: 'StatefulSet',
        spec: `replicas: 3\n  serviceName: elasticsearch\n  podManagementPolicy: Parallel\n  ${claim('30Gi')}`,
        pod: `securityContext: {fsGroup: 1000}\n      initContainers: [{name: sysctl, image: a, resources: {requests: {cpu: "1.5", memory: 64Mi}}}]\n      ${apart('elasticsearch')}`,
        resources: '{requests: {cpu: 1000m, memory: 2Gi}, limits: {cpu: 1000m, memory: 2Gi}}',
      }),
      storageClass,
      '{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: elasticsearch}}',
    ],
    workloads: [['StatefulSet', 'elasticsearch', 3, 1500, 2048]],
    newNodes: 2,
    notes: [/^skipped, without pods: 1 PodDisruptionBudget$/],
  },
  'brokers of Kafka, spread over three zones': {
    documents: [
      workload('kafka', {
        kind: 'StatefulSet',
        spec: `replicas: 6\n  serviceName: kafka\n  podManagementPolicy: Parallel\n  ${claim('100Gi')}`,
        pod: `topologySpreadConstraints: [{maxSkew: 1, minDomains: 3, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: kafka}}}]`,
        resources: '{requests: {cpu: "1", memory: 6Gi}, limits: {memory: 6Gi}}',
      }),
      storageClass,
      foreign('kafka.strimzi.io/v1beta2', 'KafkaNodePool'),
    ],
    zones: ['a', 'b', 'c'],
    workloads: [['StatefulSet', 'kafka', 6, 1000, 6144]],
    newNodes: 2,
    notes: [/^KafkaNodePool of .* main: its controller makes pods/],
  },
};
