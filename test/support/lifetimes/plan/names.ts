import type { Dice } from './dice.ts';
import type { PlannedGroup } from './groups.ts';
import type { Step } from './history.ts';
import type { LifetimePlan } from './plan.ts';

type Named = Pick<LifetimePlan, 'groups' | 'history' | 'conditions' | 'seconds'>;

/**
 * In a third of all lifetimes addresses come back, and in a third other VPCs have the same ones. No address comes back if a stranger has asked
 * for the name of an instance that is gone: the next instance of that name waits until an operator decides.
 */
export function withRepeatedNames<Plan extends Named>(dice: Dice, plan: Plan): Plan {
  const asked = plan.history.some((step) => step.kind === 'stranger-asks' && step.forName === 'gone');
  const comeBack = dice.chance(0.33) && !asked;
  const kills = comeBack ? planKills(dice, plan) : [];
  const namesakes = dice.chance(0.33) ? planNamesakes(dice, plan) : [];
  return {
    ...plan,
    conditions: { ...plan.conditions, ...(comeBack && { addressesComeBack: true }) },
    history: [...plan.history, ...kills, ...namesakes].toSorted((one, other) => one.at - other.at),
  };
}

/** An instance that ends without a drain leaves its Node behind, so that the next one of its name finds it. */
const planKills = (dice: Dice, { groups, seconds }: Named): readonly Step[] =>
  Array.from({ length: dice.integer(1, 3) }, () => ({
    kind: 'kill',
    ...stepOf(dice, groups, seconds),
  }));

/** Beside members that serve, and beside those that have just been launched. */
function planNamesakes(dice: Dice, { groups, history, seconds }: Named): readonly Step[] {
  const launches = history.filter((step) => step.kind === 'scale' && step.by > 0);
  return Array.from({ length: dice.integer(1, 3) }, () => {
    const step = stepOf(dice, groups, seconds);
    const launch = launches.length > 0 && dice.chance(0.6) ? dice.pick(launches) : undefined;
    const place = launch && {
      at: launch.at + dice.integer(1, 15),
      autoScalingGroupName: launch.autoScalingGroupName,
    };
    return { kind: 'namesake', seconds: dice.pick([60, 600, 3600]), ...step, ...place };
  });
}

const stepOf = (dice: Dice, groups: readonly PlannedGroup[], seconds: number) => ({
  at: dice.integer(0, seconds),
  autoScalingGroupName: dice.pick(groups).autoScalingGroupName,
  which: dice.next(),
});
