import { createHash } from 'node:crypto';
import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';

/** The size of the cluster that is read. */
export const wholeCluster = { nodes: 1000, podsPerNode: 15, daemonSets: 5, workloads: 300 } as const;

export const listPaths = {
  nodes: '/api/v1/nodes',
  pods: '/api/v1/pods',
  daemonSets: '/apis/apps/v1/daemonsets',
} as const;

/** About what pods and Nodes have in clusters with injected environments, sidecars and several writers of fields. */
const podBytes = 12_000;
const nodeBytes = 30_000;

/** Text that does not compress well, and is the same in each run. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const uidOf = (name: string): string =>
  digestOf(name).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

export const instanceIdOf = (node: number): string => `i-${digestOf(`instance ${node}`).slice(0, 17)}`;
export const zoneOf = (node: number): string => `eu-west-1${'abc'[node % 3]}`;
const nameOfNode = (node: number): string => `${instanceIdOf(node)}.eu-west-1.compute.internal`;

/** Managed fields are much of each object, and no plan reads them. The objects of one workload have the same ones. */
function managedFieldsOf(workload: string, bytes: number) {
  const fields: Record<string, object> = {};
  for (let length = 0, index = 0; length < bytes; index += 1) {
    const key = `k:{"name":"SETTING_${index}_OF_${workload}"}`;
    fields[key] = { '.': {}, 'f:name': {}, 'f:value': {}, 'f:valueFrom': { 'f:secretKeyRef': {} } };
    length += JSON.stringify({ [key]: fields[key] }).length;
  }
  const fieldsV1 = { 'f:spec': fields };
  return [{ manager: 'controller', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 }];
}

/** The object with so many managed fields that it has about so many bytes. */
const filled = <T extends { readonly metadata?: object }>(object: T, workload: string, bytes: number): T => ({
  ...object,
  metadata: {
    ...object.metadata,
    managedFields: managedFieldsOf(workload, bytes - JSON.stringify(object).length),
  },
});

export function wholeNode(node: number): Node {
  const name = nameOfNode(node);
  const allocatable = { cpu: '15890m', memory: `${60_000_000 + (node % 7) * 4}Ki`, pods: '110' };
  const images = Array.from({ length: 30 }, (_, index) => ({
    names: [`registry.test/images/${index}@sha256:${digestOf(`image ${index}`)}`],
    sizeBytes: 1_000_000 + index,
  }));
  const whole: Node = {
    metadata: {
      name,
      uid: uidOf(name),
      creationTimestamp: '2026-11-28T09:00:00Z',
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/arch': 'amd64',
        'node.kubernetes.io/instance-type': 'm6i.4xlarge',
        'topology.kubernetes.io/zone': zoneOf(node),
      },
    },
    spec: { providerID: `aws:///${zoneOf(node)}/${instanceIdOf(node)}` },
    status: {
      allocatable,
      capacity: allocatable,
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
      images,
    },
  };
  return filled(whole, 'nodes', nodeBytes);
}

export const wholeDaemonSet = (index: number): DaemonSet => ({
  metadata: { namespace: 'kube-system', name: `agent-${index}`, uid: uidOf(`agent-${index}`) },
  spec: {
    selector: { matchLabels: { app: `agent-${index}` } },
    template: {
      metadata: { labels: { app: `agent-${index}` } },
      spec: { containers: [containerOf(`agent-${index}`)] },
    },
  },
});

const containerOf = (app: string) => ({
  name: 'main',
  image: `registry.test/${app}@sha256:${digestOf(app)}`,
  resources: {
    requests: { cpu: `${100 + (app.length % 5) * 50}m`, memory: '512Mi' },
    limits: { memory: '1Gi' },
  },
  env: Array.from({ length: 20 }, (_, index) => ({
    name: `SETTING_${index}`,
    value: digestOf(`${app} ${index}`),
  })),
  volumeMounts: [
    { name: 'token', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true },
  ],
});

/** The first pods of each node are those of the DaemonSets. */
export function wholePod(node: number, index: number): Pod {
  const isOfDaemonSet = index < wholeCluster.daemonSets;
  const app = isOfDaemonSet ? `agent-${index}` : `web-${(node * 7 + index) % wholeCluster.workloads}`;
  const name = `${app}-${digestOf(`${node} ${index}`).slice(0, 10)}`;
  const whole: Pod = {
    metadata: {
      namespace: isOfDaemonSet ? 'kube-system' : 'shop',
      name,
      uid: uidOf(name),
      creationTimestamp: '2026-11-28T09:00:00Z',
      labels: { app, version: digestOf(app).slice(0, 10) },
      annotations: { 'checksum/config': digestOf(app) },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: isOfDaemonSet ? 'DaemonSet' : 'ReplicaSet',
          name: app,
          uid: uidOf(app),
          controller: true,
        },
      ],
    },
    spec: {
      nodeName: nameOfNode(node),
      containers: [containerOf(app)],
      tolerations: [
        {
          key: 'node.kubernetes.io/not-ready',
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        },
        {
          key: 'node.kubernetes.io/unreachable',
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        },
      ],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { app } },
        },
      ],
      volumes: [
        {
          name: 'token',
          projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 3607 } }] },
        },
      ],
    },
    status: {
      phase: 'Running',
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: 'True',
      })),
      containerStatuses: [
        {
          name: 'main',
          ready: true,
          restartCount: 0,
          image: app,
          imageID: digestOf(app),
          containerID: `containerd://${digestOf(name)}`,
        },
      ],
    },
  };
  return filled(whole, app, podBytes);
}
