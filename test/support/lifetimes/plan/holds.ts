import type { Dice } from './dice.ts';
import type { PlannedGroup } from './groups.ts';
import type { Step } from './history.ts';

type HoldDeed = Extract<
  Step,
  { readonly kind: 'hold' | 'schedule' | 'extend-hold' | 'end-hold' | 'autoscale' | 'set-bounds' }
>;

/**
 * In two fifths of all lifetimes people and schedules hold capacity, while an autoscaler and infrastructure as code change the same
 * groups. Holds ask for two nodes or more, and other tools set MinSize to 0 or 1: so it is known afterwards whose a MinSize was.
 */
export function planHolds(
  dice: Dice,
  { groups, seconds }: { readonly groups: readonly PlannedGroup[]; readonly seconds: number },
): readonly Step[] {
  if (dice.chance(0.6)) return [];
  const held = groups.filter(({ managed }) => managed);
  return Array.from({ length: dice.integer(1, 4) }, (_, index) =>
    planHold(dice, { group: dice.pick(held), name: `hold-${index}`, seconds }),
  ).flat();
}

function planHold(
  dice: Dice,
  { group, name, seconds }: { readonly group: PlannedGroup; readonly name: string; readonly seconds: number },
): readonly HoldDeed[] {
  const { autoScalingGroupName } = group;
  const at = dice.integer(0, Math.floor(seconds / 2));
  const standsSeconds = dice.pick([120, 600, 900, 2400]);
  const step = (second: number) => ({ at: Math.min(second, seconds), autoScalingGroupName, which: 0 });
  const during = () => step(at + dice.integer(0, standsSeconds));
  const nodes = dice.integer(2, 7);
  const raiseMaxSize = dice.chance(0.2);
  return [
    dice.chance(0.3)
      ? { kind: 'schedule', name, nodes, standsSeconds, ...step(at) }
      : {
          kind: 'hold',
          name,
          nodes: raiseMaxSize ? nodes + 7 : nodes,
          standsSeconds,
          raiseMaxSize,
          ...step(at),
        },
    ...maybe(dice, 0.3, () => ({
      kind: 'extend-hold' as const,
      name,
      bySeconds: dice.integer(60, 900),
      ...during(),
    })),
    ...maybe(dice, 0.3, () => ({ kind: 'end-hold' as const, name, ...during() })),
    ...maybe(dice, 0.5, () => ({ kind: 'autoscale' as const, ...during() })),
    ...maybe(dice, 0.3, () => ({ kind: 'set-bounds' as const, minSize: dice.integer(0, 1), ...during() })),
    ...maybe(dice, 0.2, () => ({
      kind: 'set-bounds' as const,
      minSize: dice.integer(0, 1),
      desiredCapacity: group.size,
      ...during(),
    })),
  ];
}

const maybe = <T>(dice: Dice, probability: number, make: () => T): readonly T[] =>
  dice.chance(probability) ? [make()] : [];
