import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type NodePatch, uidOf } from '../draining/cordon.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import { isInService } from '../groups/lifecycle-state.ts';
import { givingBackAnnotation, leavingAnnotation } from '../nodes/node-keys.ts';
import { instanceIdOf } from '../nodes/node-names.ts';

/** A pass ends within seconds, so an older reservation was left by a pass that was killed. */
const leftSeconds = 180;

export const isReserved = ({ metadata }: Node): boolean =>
  metadata?.annotations?.[givingBackAnnotation] !== undefined;

/**
 * Cordons a node that is about to be given back, and annotates it, so that the pass after one that is killed finds it. The API server
 * refuses the patch if the Node has changed since it was read: otherwise a cordon that an operator made in those seconds would count as
 * Drover's and be removed.
 */
export const reservationOf = (node: Node, now: number): NodePatch => ({
  metadata: {
    ...uidOf(node),
    ...(node.metadata?.resourceVersion !== undefined && { resourceVersion: node.metadata.resourceVersion }),
    annotations: { [givingBackAnnotation]: new Date(now).toISOString() },
  },
  spec: { unschedulable: true },
});

/** Removes a reservation. A node that is leaving by now stays cordoned. */
export const releaseOf = (node: Node): NodePatch => ({
  metadata: { ...uidOf(node), annotations: { [givingBackAnnotation]: null } },
  ...(node.metadata?.annotations?.[leavingAnnotation] === undefined && { spec: { unschedulable: null } }),
});

/** The reserved nodes of instances that stay. */
export function reservedOf({ instances }: AutoScalingGroup, nodes: readonly Node[]): readonly Node[] {
  const staying = new Set(instances.filter(isInService).map(({ instanceId }) => instanceId));
  return nodes.filter((node) => isReserved(node) && staying.has(instanceIdOf(node.spec?.providerID) ?? ''));
}

/** The names of groups with a node that was reserved minutes ago and whose instance stays. */
export const groupsWithLeftReservations = (
  groups: readonly AutoScalingGroup[],
  nodes: readonly Node[],
  now: number,
): readonly string[] =>
  groups
    .filter((group) => reservedOf(group, nodes).some((node) => isLeft(node, now)))
    .map(({ autoScalingGroupName }) => autoScalingGroupName);

/** A value that is not a time was not written by Drover, and counts as old. */
function isLeft({ metadata }: Node, now: number): boolean {
  const at = Date.parse(metadata?.annotations?.[givingBackAnnotation] ?? '');
  return Number.isNaN(at) || Math.abs(now - at) >= leftSeconds * 1000;
}
