import type { Dice } from './dice.ts';
import type { PlannedGroup } from './groups.ts';
import { type Deed, type Step, validMarkEdits } from './history.ts';

/** Steps after which tags that come and go would change more than the waits. */
const ofCapacity: readonly Step['kind'][] = [
  'hold',
  'schedule',
  'extend-hold',
  'end-hold',
  'autoscale',
  'set-bounds',
];

/** In half of all lifetimes two sources contradict each other: people and other programs undo or edit what Drover has written. */
export function planContradictions(
  dice: Dice,
  { groups, history }: { readonly groups: readonly PlannedGroup[]; readonly history: readonly Step[] },
): readonly Step[] {
  const managed = groups.filter((group) => group.managed);
  if (managed.length === 0 || dice.chance(0.5)) return [];
  return Array.from({ length: dice.integer(2, 6) }, () => {
    const { autoScalingGroupName, launchHook } = dice.pick(managed);
    const ofGroup = history.filter((step) => step.autoScalingGroupName === autoScalingGroupName);
    const deed = planDeed(dice);
    const needsTags = ofGroup.some(({ kind }) => ofCapacity.includes(kind));
    // An instance that is launched without the tag of the cluster never gets it, and a launch hook holds it for ever.
    const holdsLaunches = launchHook !== undefined && deed.kind === 'lose-tag' && deed.tag === 'cluster';
    return {
      ...(holdsLaunches || (needsTags && deed.kind === 'lose-tag') ? ({ kind: 'uncordon' } as const) : deed),
      at: dice.pick(leaves(history)).at + dice.integer(5, 60),
      autoScalingGroupName,
      which: dice.next(),
    };
  });
}

/** In two fifths of all lifetimes marks are edited so that they stay valid. */
export function planMarkEdits(
  dice: Dice,
  { groups, history }: { readonly groups: readonly PlannedGroup[]; readonly history: readonly Step[] },
): readonly Step[] {
  const managed = groups.filter((group) => group.managed);
  if (managed.length === 0 || dice.chance(0.6)) return [];
  return Array.from({ length: dice.integer(1, 4) }, () => ({
    kind: 'edit-mark',
    how: dice.pick(validMarkEdits),
    at: dice.pick(leaves(history)).at + dice.integer(5, 120),
    autoScalingGroupName: dice.pick(managed).autoScalingGroupName,
    which: dice.next(),
  }));
}

/** The steps with which instances begin to leave, or all if there is none. */
function leaves(history: readonly Step[]): readonly Step[] {
  const found = history.filter(({ kind }) => ['terminate', 'scale', 'health-event'].includes(kind));
  return found.length > 0 ? found : history;
}

const planDeed = (dice: Dice): Deed =>
  dice.pick<() => Deed>([
    () => ({ kind: 'uncordon' }),
    () => ({ kind: 'uncordon' }),
    () => ({ kind: 'uncordon' }),
    () => ({ kind: 'edit-mark', how: dice.pick(['remove', 'garble']) }),
    () => ({
      kind: 'lose-tag',
      tag: dice.pick(['cluster', 'cluster', 'role']),
      seconds: dice.pick([30, 120, 400]),
    }),
    () => ({
      kind: 'cancelled-change',
      count: dice.integer(1, 2),
      afterSeconds: dice.pick([1, 20, 90, 300]),
    }),
  ])();

/** In some lifetimes the instances of a group have few host names, which the next instance takes when one has terminated. */
export const withFewNames = (dice: Dice, groups: readonly PlannedGroup[]): readonly PlannedGroup[] =>
  groups.map((group) =>
    dice.chance(0.15) && group.joins && !group.launchHook ? { ...group, nodeNames: 'used-again' } : group,
  );
