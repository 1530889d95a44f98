import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PlanCluster } from '../../../shared/capacity/plan-input/plan-cluster.ts';
import type { PodsReader } from '../../../shared/capacity/pod-holds/read-pods.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { joinTimeoutSeconds } from './auto-scaling.ts';
import { apps, type Cluster, type LivingNode, type LivingPod } from './cluster.ts';

/** Four CPUs of which 3.9 are for pods. */
const nodeOf = ({ name, instanceId, pool, createdAt, isReady, isCordoned, isLeaving }: LivingNode): Node => ({
  metadata: {
    name,
    creationTimestamp: new Date(createdAt).toISOString(),
    labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': 'eu-west-1a', pool },
    annotations: isLeaving ? { [leavingAnnotation]: 'marked' } : {},
  },
  spec: { providerID: `aws:///eu-west-1a/${instanceId}`, unschedulable: isCordoned },
  status: {
    allocatable: { cpu: '3900m', memory: '14Gi', pods: '58' },
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
  },
});

export const podSpecOf = (app: LivingPod['app']) => ({
  nodeSelector: { pool: apps[app].pool },
  containers: [{ name: 'main', resources: { requests: { cpu: `${apps[app].cpu}m`, memory: '64Mi' } } }],
});

const podOf = ({ name, app, nodeName, isTerminating }: LivingPod): Pod => ({
  metadata: {
    namespace: 'shop',
    name,
    labels: { app },
    ...(isTerminating && { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 }),
  },
  spec: { ...podSpecOf(app), ...(nodeName !== undefined && { nodeName }) },
});

/** The living cluster as prewarm reads it. Each list is one call. */
export function readerOf(
  cluster: Cluster,
  call: <Answer>(read: () => Answer) => Promise<Answer>,
): PodsReader {
  const nothing = async () => ({ status: 'read' as const, items: await call(() => []) });
  const planCluster: PlanCluster = {
    listNodes: async (reduce) =>
      await call(() => cluster.nodes().flatMap((node) => reduce(nodeOf(node)) ?? [])),
    listPods: async (reduce) => await call(() => cluster.pods().flatMap((pod) => reduce(podOf(pod)) ?? [])),
    listNamespaces: nothing,
    listDaemonSets: nothing,
    listPersistentVolumes: nothing,
    listPersistentVolumeClaims: nothing,
    listStorageClasses: nothing,
    listCsiNodes: nothing,
    listVolumeAttachments: nothing,
  };
  return {
    cluster: planCluster,
    launches: {
      readLaunches: async (groups) =>
        new Map(groups.map(({ autoScalingGroupName }) => [autoScalingGroupName, { types: [xlarge] }])),
    },
    joinTimeoutSeconds,
  };
}

const xlarge = {
  instanceType: 'm5.xlarge',
  architecture: 'amd64',
  cpus: 4,
  memoryMebibytes: 16_384,
  interfaces: 4,
  ipv4AddressesPerInterface: 15,
  devices: {},
} as const;
