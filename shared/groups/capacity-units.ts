import type { AutoScalingGroup, GroupMember } from './group.ts';

/** How much of a desired capacity instances are: their number, or the sum of their weights where the group counts units. Pure. */
export const unitsOf = (members: readonly Pick<GroupMember, 'weight'>[]): number =>
  members.reduce((sum, { weight = 1 }) => sum + weight, 0);

/** Why Drover cannot say what so many nodes are in the sizes of a group; undefined where they are numbers of instances. Pure. */
export const whyUnits = ({ countsUnits }: Pick<AutoScalingGroup, 'countsUnits'>): string | undefined =>
  countsUnits
    ? 'the group counts units of capacity (weights, vCPUs or memory), so it has no size in nodes: set its MinSize, or use a group without weights'
    : undefined;
