import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { PlanCluster } from '../../../../shared/capacity/plan-input/plan-cluster.ts';
import type { PodsReader } from '../../../../shared/capacity/pod-holds/read-pods.ts';
import { rawNode } from '../plan/fixtures.ts';

/** A cluster of these Nodes and no pods, with every list that was asked for, and the groups whose launches were. */
export function fakeReader({
  nodes = [rawNode('n')],
  listPods = async () => [],
  mayListVolumes = true,
}: {
  readonly nodes?: readonly Node[];
  readonly listPods?: () => Promise<readonly never[]>;
  readonly mayListVolumes?: boolean;
} = {}) {
  const asked: string[] = [];
  const launchesRead: string[] = [];
  const none = async () => ({ status: 'read' as const, items: [] });
  const volumes = async () =>
    mayListVolumes
      ? { status: 'read' as const, items: [] }
      : { status: 'absent' as const, reason: 'forbidden' };
  const cluster: PlanCluster = {
    listNodes: async (reduce) => {
      asked.push('nodes');
      return nodes.flatMap((node) => reduce(node) ?? []);
    },
    listPods: async () => {
      asked.push('pods');
      return await listPods();
    },
    listNamespaces: none,
    listDaemonSets: none,
    listPersistentVolumes: volumes,
    listPersistentVolumeClaims: none,
    listStorageClasses: none,
    listCsiNodes: none,
    listVolumeAttachments: none,
  };
  const reader: PodsReader = {
    cluster,
    launches: {
      readLaunches: async (groups) => {
        launchesRead.push(...groups.map(({ autoScalingGroupName }) => autoScalingGroupName));
        return new Map();
      },
    },
    joinTimeoutSeconds: 720,
  };
  return { reader, asked, launchesRead };
}

/** A Node of the instance `i-0123456789abcdef0`. */
export const nodeOfInstance = (): Node => {
  const node = rawNode('n');
  return { ...node, spec: { ...node.spec, providerID: 'aws:///eu-west-1a/i-0123456789abcdef0' } };
};
