import { giveBackTagKey } from '../../../../shared/lifecycle/give-back.ts';
import type { Dice } from './dice.ts';
import type { PlannedGroup } from './groups.ts';
import type { Step } from './history.ts';

/** In most lifetimes with holds some of the held groups give their empty nodes back afterwards. */
export function withGivingBack(
  dice: Dice,
  { groups, history }: { readonly groups: readonly PlannedGroup[]; readonly history: readonly Step[] },
): readonly PlannedGroup[] {
  const held = new Set(
    history
      .filter(({ kind }) => kind === 'hold' || kind === 'schedule')
      .map(({ autoScalingGroupName }) => autoScalingGroupName),
  );
  return groups.map((group) => {
    const isDrawn = dice.chance(0.7);
    return isDrawn && held.has(group.autoScalingGroupName)
      ? { ...group, tags: { ...group.tags, [giveBackTagKey]: 'true' } }
      : group;
  });
}
