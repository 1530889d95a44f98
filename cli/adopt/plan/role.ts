import { type Role, roleOf } from '../../../shared/groups/group.ts';
import type { Observation, ObservedGroup, ObservedNode, Wishes } from './observation.ts';

/** The tags of a group as other rooms read them. */
export const tagValues = ({ tags }: Pick<ObservedGroup, 'tags'>): Readonly<Record<string, string>> =>
  Object.fromEntries([...tags].map(([key, { value }]) => [key, value]));

/** The Nodes of the group's instances. */
export function nodesOf(
  { instances }: ObservedGroup,
  { nodes }: Pick<Observation, 'nodes'>,
): readonly ObservedNode[] {
  const ids = new Set(instances.map(({ instanceId }) => instanceId));
  return nodes.filter(({ instanceId }) => instanceId !== undefined && ids.has(instanceId));
}

/** The role that the group gets: the one that is asked for, the one that it has, or the one that its Nodes show. Pure. */
export function roleFor(group: ObservedGroup, observation: Observation, { role }: Wishes): Role {
  const nodes = nodesOf(group, observation);
  return (
    role ??
    roleOf({ tags: tagValues(group) }) ??
    (nodes.some(({ isControlPlane }) => isControlPlane) ? 'control-plane' : 'worker')
  );
}
