import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import { isInService } from '../groups/lifecycle-state.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { leavingAnnotation } from '../nodes/node-keys.ts';
import { instanceIdOf } from '../nodes/node-names.ts';
import { isReserved } from './reservation.ts';

/**
 * Why none of a group's nodes is given back in view of its Nodes; undefined if one may be. An instance in service may have no Node, or one
 * that is not Ready or cordoned: without this the last nodes that take pods would go, down to none. Pure.
 */
export function obstacleInNodes(group: AutoScalingGroup, nodes: readonly Node[]): string | undefined {
  const open = new Set(nodes.filter(takesPods).map(({ spec }) => instanceIdOf(spec?.providerID)));
  const serving = group.instances.filter((member) => isInService(member) && open.has(member.instanceId));
  return serving.length <= group.minSize
    ? `MinSize is ${group.minSize}, and only ${serving.length} of ${group.instances.length} nodes are Ready and take pods`
    : undefined;
}

/** A reserved node would be released if it stayed. */
const takesPods = (node: Node): boolean =>
  isNodeReady(node) &&
  (isReserved(node) || node.spec?.unschedulable !== true) &&
  node.metadata?.annotations?.[leavingAnnotation] === undefined;
