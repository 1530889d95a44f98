import type { Node, NodeCondition } from 'kubernetes-types/core/v1.d.ts';

/** The Ready condition, as last reported by the kubelet, or set by the node controller on its behalf. */
export const readyConditionOf = (node: Node): NodeCondition | undefined =>
  node.status?.conditions?.find(({ type }) => type === 'Ready');

export const isNodeReady = (node: Node): boolean => readyConditionOf(node)?.status === 'True';

/** The kubelet has not reported to the node controller for its grace period, so Ready is neither True nor False. */
export const isKubeletSilent = (node: Node): boolean => readyConditionOf(node)?.status === 'Unknown';
