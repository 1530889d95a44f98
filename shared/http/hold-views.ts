import type * as z from 'zod/mini';
import type { Hold, HoldReading } from '../capacity/holds/hold.ts';
import { holdStateOf } from '../capacity/holds/hold-state.ts';
import type { ObservedNodes } from '../capacity/observed-nodes.ts';
import type { AutoScalingGroup } from '../lifecycle/group.ts';
import type { changedHold, listedHold } from './schemas/answers/hold.ts';

export function viewHold(hold: Hold): Omit<z.infer<typeof changedHold>, 'change'> {
  const { autoScalingGroupName, name, nodes, until, raiseMaxSize, createdAt, endedAt, by } = hold;
  return {
    autoScalingGroupName,
    name,
    nodes,
    until: new Date(until).toISOString(),
    raiseMaxSize,
    ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    ...(by !== undefined && { by }),
  };
}

/** Holds with their states, by group and name. */
export const viewHolds = (
  readings: readonly HoldReading[],
  facts: {
    readonly groups: readonly AutoScalingGroup[];
    readonly nodes: ObservedNodes;
    readonly now: number;
  },
): readonly z.infer<typeof listedHold>[] =>
  readings
    .map((reading): z.infer<typeof listedHold> => {
      if (reading.kind === 'unreadable') {
        const { autoScalingGroupName, name, why } = reading;
        return { autoScalingGroupName, name, state: 'unreadable', reason: why };
      }
      const { hold } = reading;
      const group = facts.groups.find((one) => one.autoScalingGroupName === hold.autoScalingGroupName);
      return { ...viewHold(hold), ...holdStateOf(hold, { ...facts, group }) };
    })
    .toSorted(
      (one, other) =>
        one.autoScalingGroupName.localeCompare(other.autoScalingGroupName) ||
        one.name.localeCompare(other.name),
    );
