import type { Node, NodeCondition } from 'kubernetes-types/core/v1.d.ts';

/** The Ready condition, as last reported by the kubelet, or set by the node controller on its behalf. */
export const readyConditionOf = (node: Node): NodeCondition | undefined =>
  node.status?.conditions?.find(({ type }) => type === 'Ready');

export const isNodeReady = (node: Node): boolean => readyConditionOf(node)?.status === 'True';

/** The kubelet has not reported to the node controller for its grace period, so Ready is neither True nor False. */
export const isKubeletSilent = (node: Node): boolean => readyConditionOf(node)?.status === 'Unknown';

/** Whether the status of the Node reports volumes. It drops a volume when the detaching begins, not when it ends. */
export const reportsVolumes = ({ status }: Node): boolean =>
  (status?.volumesAttached ?? []).length > 0 || (status?.volumesInUse ?? []).length > 0;

/** The node controller calls a kubelet silent 50 s after its last Lease. The rest is for delays and clocks. */
const silenceShowsAfterMilliseconds = 60_000;

/** When an instance ended, in epoch milliseconds. */
export interface InstanceEnd {
  readonly at: number;
  /** EC2 reported this time. Otherwise the instance ended at an unknown time before it. */
  readonly isExact: boolean;
}

/**
 * Whether a kubelet still serves the Node of an instance that has ended. Then another machine has registered under the name of the Node:
 * Kubernetes never changes a providerID, so the Node still names the instance that ended (kubernetes/kubernetes#71398). Pure.
 * - `silent`: the last report is from before the end, or the node controller has had no report for its grace period;
 * - `unsettled`: the kubelet may have died moments ago, so the node controller has not noticed it yet;
 * - `reports`: it has reported since.
 */
export function kubeletAfter(node: Node, end: InstanceEnd, now: number): 'silent' | 'unsettled' | 'reports' {
  const ready = readyConditionOf(node);
  if (ready === undefined || ready.status === 'Unknown') return 'silent';
  if (end.isExact && Date.parse(ready.lastHeartbeatTime ?? '') <= end.at) return 'silent';
  return now < end.at + silenceShowsAfterMilliseconds ? 'unsettled' : 'reports';
}
