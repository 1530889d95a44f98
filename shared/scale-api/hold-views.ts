import type * as z from 'zod/mini';
import type { Hold, HoldReading } from '../capacity/holds/hold.ts';
import { holdStateOf } from '../capacity/holds/hold-state.ts';
import type { ObservedNodes } from '../capacity/observed-nodes.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import { pageByKey } from './key-pages.ts';
import type { changedHold, holdList, listedHold } from './schemas/answers/hold.ts';

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

interface ViewedWith {
  readonly groups: readonly AutoScalingGroup[];
  readonly nodes: ObservedNodes;
  readonly now: number;
}

/** Holds with their states. */
export const viewHolds = (
  readings: readonly HoldReading[],
  facts: ViewedWith,
): readonly z.infer<typeof listedHold>[] =>
  readings.map((reading) => {
    if (reading.kind === 'unreadable') {
      const { autoScalingGroupName, name, why } = reading;
      return { autoScalingGroupName, name, state: 'unreadable', reason: why };
    }
    const { hold } = reading;
    const group = facts.groups.find((one) => one.autoScalingGroupName === hold.autoScalingGroupName);
    return { ...viewHold(hold), ...holdStateOf(hold, { ...facts, group }) };
  });

/** A page of holds with their states, by group and name. */
export function viewPage(
  readings: readonly HoldReading[],
  { after, limit, ...facts }: { readonly after: string; readonly limit: number } & ViewedWith,
): z.infer<typeof holdList> {
  const { items, nextCursor } = pageByKey(readings, { keyOf: placeKey, after, limit });
  return { holds: [...viewHolds(items, facts)], ...(nextCursor !== undefined && { nextCursor }) };
}

/** No name has this character, so the holds of a group follow each other. */
function placeKey(reading: HoldReading): string {
  const { autoScalingGroupName, name } = reading.kind === 'hold' ? reading.hold : reading;
  return `${autoScalingGroupName}\0${name}`;
}
