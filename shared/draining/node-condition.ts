import type { Node } from 'kubernetes-types/core/v1.d.ts';

const conditionOf = (node: Node, type: string): string | undefined =>
  node.status?.conditions?.find((condition) => condition.type === type)?.status;

export const isNodeReady = (node: Node): boolean => conditionOf(node, 'Ready') === 'True';

/** The node controller has not heard from its kubelet for its grace period: Ready is neither True nor False. */
export const isKubeletSilent = (node: Node): boolean => conditionOf(node, 'Ready') === 'Unknown';
