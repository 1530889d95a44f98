import { describe, expect, it } from 'vitest';
import type { Workload } from '../../../../shared/capacity/manifests/workload.ts';
import { planNodes } from '../../../../shared/capacity/plan/plan.ts';
import { plannedPodOf } from '../../../../shared/capacity/plan/pod.ts';
import { requestsOfPod } from '../../../../shared/capacity/plan/requests.ts';
import { groupOf, occupied } from '../plan/fixtures.ts';
import { type ControllerText, controllerText, read } from './fixtures.ts';

/*
 * Manifests in the shape of those that well-known projects publish: the same kinds, replicas, requests and constraints, written for this test. Each is
 * planned on one node of 4 CPUs and 16 GiB and a group of such nodes.
 */

const workload = (name: string, settings: ControllerText = {}): string =>
  controllerText({ ...settings, name }).replaceAll('app: web', `app: ${name}`);

const small = (name: string, replicas: number, resources: string): string =>
  workload(name, { spec: `replicas: ${replicas}`, resources: `{requests: ${resources}}` });

const apart = (name: string): string =>
  `affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: ${name}}}}]}}`;

const claim = (size: string): string =>
  `volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: ${size}}}}}]`;

const job = (name: string): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: {name: ${name}}\nspec: {template: {spec: {restartPolicy: OnFailure, containers: [{name: a, image: a}]}}}\n`;

const foreign = (apiVersion: string, kind: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: main}\nspec: {replicas: 3}\n`;

interface Shape {
  readonly documents: readonly string[];
  /** Kind, name, replicas, CPU in thousandths and MiB of each workload. */
  readonly workloads: readonly (readonly [string, string, number, number, number])[];
  readonly newNodes: number;
  readonly notes?: readonly RegExp[];
}

const shapes: Readonly<Record<string, Shape>> = {
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
      '{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}, provisioner: ebs.csi.aws.com, volumeBindingMode: WaitForFirstConsumer}',
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
  'a highly available metrics server': {
    documents: [
      workload('metrics-server', {
        pod: `nodeSelector: {kubernetes.io/os: linux}\n      ${apart('metrics-server')}`,
        resources: '{requests: {cpu: 100m, memory: 200Mi}}',
      }),
      '{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1beta1.metrics.k8s.io}}',
    ],
    workloads: [['Deployment', 'metrics-server', 2, 100, 200]],
    newNodes: 1,
    notes: [/1 APIService/],
  },
  'DNS without replicas, because an autoscaler sets them': {
    documents: [
      workload('coredns', {
        spec: 'strategy: {type: RollingUpdate}',
        pod: 'tolerations: [{key: CriticalAddonsOnly, operator: Exists}]',
        resources: '{limits: {memory: 170Mi}, requests: {cpu: 100m, memory: 70Mi}}',
      }),
    ],
    workloads: [['Deployment', 'coredns', 1, 100, 70]],
    newNodes: 0,
  },
  'an ingress controller with two Jobs for its webhook': {
    documents: [
      small('controller', 1, '{cpu: 100m, memory: 90Mi}'),
      job('admission-create'),
      job('admission-patch'),
      '{apiVersion: networking.k8s.io/v1, kind: IngressClass, metadata: {name: nginx}}',
    ],
    workloads: [
      ['Deployment', 'controller', 1, 100, 90],
      ['Job', 'admission-create', 1, 0, 0],
      ['Job', 'admission-patch', 1, 0, 0],
    ],
    newNodes: 0,
    notes: [/1 IngressClass/],
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
  'a storage system with a DaemonSet on each node': {
    documents: [
      workload('manager', { kind: 'DaemonSet', spec: 'minReadySeconds: 1', resources: '{}' }),
      workload('ui', { resources: '~' }),
      ...Array.from(
        { length: 22 },
        () => 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n',
      ),
    ],
    workloads: [['Deployment', 'ui', 2, 0, 0]],
    newNodes: 0,
    notes: [/^DaemonSet manager: comes with each node/, /22 CustomResourceDefinition/],
  },
  'a database operator with its cluster as a custom resource': {
    documents: [
      small('cluster-operator', 1, '{cpu: 200m, memory: 384Mi}'),
      foreign('kafka.strimzi.io/v1', 'Kafka'),
      foreign('postgresql.cnpg.io/v1', 'Cluster'),
    ],
    workloads: [['Deployment', 'cluster-operator', 1, 200, 384]],
    newNodes: 0,
    notes: [/^Kafka of .* main: its controller makes pods/, /^Cluster of .* main: its controller makes pods/],
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
  'a controller with six sidecars of one size': {
    documents: [
      workload('ebs-csi-controller', { resources: '{requests: {cpu: 10m, memory: 40Mi}}' }).replace(
        /(?=\n$)/,
        Array.from(
          { length: 5 },
          (_, at) => `\n      - {name: s${at}, image: a, resources: {requests: {cpu: 10m, memory: 40Mi}}}`,
        ).join(''),
      ),
    ],
    workloads: [['Deployment', 'ebs-csi-controller', 2, 60, 240]],
    newNodes: 0,
  },
};

const row = ({ kind, name, replicas, pods: [pod] }: Workload) => {
  const requests = pod && requestsOfPod(pod);
  return [kind, name, replicas, requests?.get('cpu') ?? 0, (requests?.get('memory') ?? 0) / 1024 ** 2];
};

describe('manifests in the shape of well-known projects', () => {
  it.each(Object.entries(shapes))(
    '%s are read and planned',
    (_, { documents, workloads, newNodes, notes }) => {
      const reading = read(documents.join('\n---\n'));
      expect(reading.problems).toEqual([]);
      expect(reading.workloads.map(row)).toEqual(workloads);
      expect(reading.notes).toEqual((notes ?? []).map((note) => expect.stringMatching(note)));
      const claims = new Map(
        reading.workloads
          .flatMap((one) => one.claims)
          .map((one) => [`${one.metadata?.namespace}/${one.metadata?.name}`, one] as const),
      );
      const classes = new Map(
        reading.surroundings.storageClasses.map((one) => [one.metadata?.name ?? '', one] as const),
      );
      const surroundings = { namespaces: new Map(), volumes: { claims, classes, volumes: new Map() } };
      const labels = { 'kubernetes.io/os': 'linux' };
      const plan = planNodes({
        nodes: [occupied('node-1', { labels })],
        groups: [groupOf('workers', { labels })],
        pods: reading.workloads.flatMap((one) => one.pods.map((pod) => plannedPodOf(pod, surroundings))),
      });
      expect(plan.newNodes.get('workers')).toBe(newNodes);
      expect([...plan.unplaced].map(({ requests }) => requests.get('nvidia.com/gpu'))).toEqual(
        documents.some((text) => text.includes('nvidia.com/gpu')) ? [1] : [],
      );
    },
  );
});
