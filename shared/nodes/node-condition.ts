import type { Node, NodeCondition } from 'kubernetes-types/core/v1.d.ts';

/** What the kubelet, or the node controller in its place, last said of the Node's readiness. */
export const readyConditionOf = (node: Node): NodeCondition | undefined =>
  node.status?.conditions?.find(({ type }) => type === 'Ready');

export const isNodeReady = (node: Node): boolean => readyConditionOf(node)?.status === 'True';

/** The node controller has not heard from its kubelet for its grace period: Ready is neither True nor False. */
export const isKubeletSilent = (node: Node): boolean => readyConditionOf(node)?.status === 'Unknown';
