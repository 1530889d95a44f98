import type { AutoScalingGroup } from '../../groups/group.ts';
import { readGiveBack } from '../../groups/group-settings.ts';
import { activeHolds } from './bounds.ts';
import type { GroupHolds } from './read-holds.ts';

/** So long after the last hold its nodes are given back as they become empty. Afterwards the group is left to what scales it. */
const giveBackSeconds = 3600;

/**
 * Whether empty nodes of a group are to be given back now: it asks for it, its last hold has ended within the hour, and MinSize is the
 * base again. A hold that cannot be read may stand. Pure.
 */
export function shallGiveBack(
  group: AutoScalingGroup,
  { holds, record, now }: GroupHolds & { readonly now: number },
): boolean {
  if (!readGiveBack(group.tags).isOn || group.countsUnits || record.kind !== 'record') return false;
  const { changedAt, minSize } = record.record;
  return (
    holds.every(({ kind }) => kind === 'hold') &&
    activeHolds(holds, now).length === 0 &&
    group.minSize === minSize.base &&
    group.desiredCapacity > group.minSize &&
    Math.abs(now - changedAt) < giveBackSeconds * 1000
  );
}
