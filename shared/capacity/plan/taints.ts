import type { Taint, Toleration } from 'kubernetes-types/core/v1.d.ts';

/** Whether a pod with these tolerations may be scheduled onto a node with these taints. PreferNoSchedule keeps no pod away. */
export const toleratesTaints = (tolerations: readonly Toleration[], taints: readonly Taint[]): boolean =>
  taints.every(
    (taint) =>
      (taint.effect !== 'NoSchedule' && taint.effect !== 'NoExecute') ||
      tolerations.some((toleration) => tolerates(toleration, taint)),
  );

/**
 * An empty effect stands for every effect, and an empty key with Exists for every key. The operators Gt and Lt, which are behind a feature gate
 * (KEP-5471), tolerate nothing here, so that a plan never counts on them.
 */
export function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return !!key && (!operator || operator === 'Equal') && (value ?? '') === (taint.value ?? '');
}

/** What the DaemonSet controller adds to its pods (pkg/controller/daemon/util/daemonset_util.go). */
export const daemonSetTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

/** Also added if the pods use the network of the host. */
export const hostNetworkToleration: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/** Prefixes of taints that a component removes once a node is initialized, or sets for a while: no new node keeps them. */
const passingTaints: readonly string[] = [
  'node.kubernetes.io/',
  'node.cloudprovider.kubernetes.io/',
  'startup-taint.cluster-autoscaler.kubernetes.io/',
  'ignore-taint.cluster-autoscaler.kubernetes.io/',
  'status-taint.cluster-autoscaler.kubernetes.io/',
  'ToBeDeletedByClusterAutoscaler',
  'DeletionCandidateOfClusterAutoscaler',
  'karpenter.sh/unregistered',
  'karpenter.sh/disrupted',
  'node.cilium.io/agent-not-ready',
  'ebs.csi.aws.com/agent-not-ready',
  'efs.csi.aws.com/agent-not-ready',
];

/** Whether a taint says something about one moment of one node, not about all nodes of its group. */
export const isPassing = ({ key }: Taint): boolean => passingTaints.some((prefix) => key.startsWith(prefix));
