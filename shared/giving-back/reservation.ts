import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { NodePatch } from '../draining/cordon.ts';
import { type AutoScalingGroup } from '../groups/group.ts';
import { isInService } from '../groups/lifecycle-state.ts';
import { givingBackAnnotation, leavingAnnotation } from '../nodes/node-keys.ts';
import { instanceIdOf } from '../nodes/node-names.ts';

/** A pass ends within seconds. One that was killed leaves its reservation. */
const leftSeconds = 180;

export const isReserved = ({ metadata }: Node): boolean =>
  metadata?.annotations?.[givingBackAnnotation] !== undefined;

const uidOf = ({ metadata }: Node) => (metadata?.uid === undefined ? {} : { uid: metadata.uid });

/**
 * Cordons a node that is about to be given back, and says so on it: a pass that is killed leaves it for the next one. The API server
 * refuses it for a Node that has changed since it was read: a person's cordon of those seconds would be taken for ours, and taken back.
 */
export const reservationOf = (node: Node, now: number): NodePatch => ({
  metadata: {
    ...uidOf(node),
    ...(node.metadata?.resourceVersion !== undefined && { resourceVersion: node.metadata.resourceVersion }),
    annotations: { [givingBackAnnotation]: new Date(now).toISOString() },
  },
  spec: { unschedulable: true },
});

/** Takes a reservation back. A node that leaves meanwhile stays cordoned. */
export const releaseOf = (node: Node): NodePatch => ({
  metadata: { ...uidOf(node), annotations: { [givingBackAnnotation]: null } },
  ...(node.metadata?.annotations?.[leavingAnnotation] === undefined && { spec: { unschedulable: null } }),
});

/** The reserved nodes of instances that stay. */
export function reservedOf({ instances }: AutoScalingGroup, nodes: readonly Node[]): readonly Node[] {
  const staying = new Set(instances.filter(isInService).map(({ instanceId }) => instanceId));
  return nodes.filter((node) => isReserved(node) && staying.has(instanceIdOf(node.spec?.providerID) ?? ''));
}

/** The groups with a node that was reserved minutes ago and still stays, by name. */
export const groupsWithLeftReservations = (
  groups: readonly AutoScalingGroup[],
  nodes: readonly Node[],
  now: number,
): readonly string[] =>
  groups
    .filter((group) => reservedOf(group, nodes).some((node) => isLeft(node, now)))
    .map(({ autoScalingGroupName }) => autoScalingGroupName);

/** A value that is no time was not written by Drover's clock, and is old enough. */
function isLeft({ metadata }: Node, now: number): boolean {
  const at = Date.parse(metadata?.annotations?.[givingBackAnnotation] ?? '');
  return Number.isNaN(at) || Math.abs(now - at) >= leftSeconds * 1000;
}
