import type { Dice } from './dice.ts';
import type { PlannedGroup } from './groups.ts';
import type { Deed, Step } from './history.ts';
import { isLong } from './long.ts';
import type { LifetimePlan } from './plan.ts';
import type { Spell } from './spells.ts';
import type { PlannedWorkload } from './workloads.ts';

/** One lifetime in eight has rolls. In those that have one long wait, nothing else shall decide how long it is. */
export const isRolling = (seed: number): boolean => seed % 8 === 6 && !isLong(seed);

/** A roll of a few nodes takes so long, if nothing holds it. */
const rolledSeconds = 1500;

type Rolled = Pick<LifetimePlan, 'groups' | 'workloads' | 'history' | 'spells' | 'seconds'>;

/** The same lifetime with one or two rolls, with people who change their minds meanwhile, and with faults of their own. */
export function withRolls<Plan extends Rolled>(dice: Dice, plan: Plan): Plan {
  const groups = [...plan.groups.map((group) => forRolls(dice, group)), ...planControlPlane(dice)];
  const managed = groups.filter((group) => group.managed);
  // The preflight refuses a group without a hook.
  const hooked = managed.filter(({ heartbeatTimeoutSeconds }) => heartbeatTimeoutSeconds !== undefined);
  const rolled = hooked.length > 0 ? hooked : managed;
  const begins = dice.integer(0, 60);
  const rolls = Array.from({ length: dice.pick([1, 1, 2]) }, (_, index) =>
    planRoll(dice, { rolled, name: `roll-${index + 1}`, at: begins + index * dice.integer(5, 700) }),
  );
  const changes = rolls.flatMap((roll) => planChanges(dice, roll));
  const workloads = dice.chance(0.75) ? plan.workloads.map(movable) : plan.workloads;
  const spells = planSpells(dice, begins);
  const limited = rolls.flatMap((roll) => withLimits(dice, roll));
  return {
    ...plan,
    groups,
    workloads,
    history: [...plan.history, ...limited, ...changes].toSorted((one, other) => one.at - other.at),
    spells: [...plan.spells, ...spells],
    seconds: Math.max(plan.seconds, begins + rolledSeconds),
  };
}

/** Some launch first. Without a hook a roll replaces nothing, so fewer groups than otherwise have none. */
const forRolls = (dice: Dice, group: PlannedGroup): PlannedGroup => ({
  ...dice.maybe(0.75, () => ({ heartbeatTimeoutSeconds: dice.pick([60, 300, 900]) })),
  ...group,
  ...dice.maybe(0.25, () => ({ launchesFirst: true as const })),
});

/** In some lifetimes one group, or one for each of two zones. */
function planControlPlane(dice: Dice): readonly PlannedGroup[] {
  if (dice.chance(0.6)) return [];
  const sizes = dice.pick([[1], [2], [3], [1, 2]]);
  return sizes.map((size, index) => ({
    autoScalingGroupName: `masters-${index}`,
    role: 'control-plane',
    size,
    spot: false,
    heartbeatTimeoutSeconds: dice.pick([120, 300, 900]),
    etcdHook: false,
    tags: { 'drover.dev/drain-timeout': String(dice.pick([45, 120])) },
    retainsAbandoned: false,
    managed: true,
    joins: true,
    nodeNames: 'private-dns',
    ...dice.maybe(0.3, () => ({ launchesFirst: true as const })),
  }));
}

/** A budget that allows nothing, and two over the same pods, would hold their nodes for good. */
const movable = (workload: PlannedWorkload): PlannedWorkload => ({
  ...workload,
  budgets: workload.budgets.filter(({ maxUnavailable }) => maxUnavailable !== 0).slice(0, 1),
});

type Begin = Extract<Step, { readonly kind: 'roll' }>;

function planRoll(
  dice: Dice,
  {
    rolled,
    name,
    at,
  }: { readonly rolled: readonly PlannedGroup[]; readonly name: string; readonly at: number },
): Begin {
  const first = dice.pick(rolled);
  const all = dice.chance(0.4);
  const groupNames = (all ? rolled : [first]).map(({ autoScalingGroupName }) => autoScalingGroupName);
  return {
    kind: 'roll',
    at,
    which: 0,
    autoScalingGroupName: first.autoScalingGroupName,
    name,
    groupNames,
    criterion: dice.pick(['changed', 'changed', 'all']),
    bounds: {
      surge: dice.pick([1, 1, 2, 3]),
      maxUnavailable: dice.pick([0, 0, 0, 1]),
      canary: dice.pick([0, 1, 1, 2]),
      bakeSeconds: dice.pick([0, 20, 60]),
      skipBlocked: dice.chance(0.5),
    },
  };
}

/** Some rolls have a window, some an alarm that is raised meanwhile, and some lose the hook of a group. */
function withLimits(dice: Dice, roll: Begin): readonly Step[] {
  const during = () => ({ at: roll.at + dice.integer(20, 700), which: 0 });
  const window = dice.maybe(0.3, () => ({
    opensAfter: dice.pick([0, 0, 2, 6]),
    opensFor: dice.integer(2, 8),
    closesFor: dice.integer(3, 6),
  }));
  const hasAlarm = dice.chance(0.3);
  const raises = dice.chance(0.7)
    ? { kind: 'raise-alarm' as const, seconds: dice.pick([120, 600]), autoScalingGroupName: '', ...during() }
    : undefined;
  const removes = dice.maybe(0.15, () => ({
    kind: 'remove-hook' as const,
    autoScalingGroupName: dice.pick(roll.groupNames),
    ...during(),
  }));
  return [
    { ...roll, ...(window && { window }), ...(hasAlarm && { hasAlarm }) },
    ...(hasAlarm && raises ? [raises] : []),
    ...(removes ? [removes] : []),
  ];
}

/** What people and other programs do while it runs. */
function planChanges(dice: Dice, { name, at, groupNames }: Begin): readonly Step[] {
  const moment = () => ({
    at: at + dice.integer(5, 900),
    autoScalingGroupName: dice.pick(groupNames),
    which: dice.next(),
  });
  const then = (deeds: readonly Deed[]): readonly Step[] => {
    const first = moment();
    return deeds.map((deed, index) => ({ ...first, ...deed, at: first.at + index * dice.integer(20, 300) }));
  };
  const change = (asked: Extract<Deed, { readonly kind: 'change-roll' }>['asked']): Deed => ({
    kind: 'change-roll',
    name,
    asked,
  });
  const edit = (): Deed => ({
    kind: 'edit-rolling',
    how: dice.pick(['uncordon', 'uncordon', 'untaint', 'untaint', 'remove', 'garble']),
  });
  const kinds: readonly (() => readonly Step[])[] = [
    () => then([change('pause'), change('resume')]),
    () => then([change('pause'), change('resume')]),
    () => then([change('abort')]),
    () => then([{ kind: 'new-version' }, change('retarget')]),
    () => then([{ kind: 'new-version' }]),
    () => then([edit()]),
    () => then([edit()]),
    () => then([{ kind: 'terminate', replace: true }]),
    () => then([{ kind: 'pause' }, { kind: 'resume' }]),
    () => then([{ kind: 'suspend', process: 'Launch', seconds: dice.pick([60, 300]) }]),
    () => then([{ kind: 'suspend', process: 'ReplaceUnhealthy', seconds: dice.pick([120, 600]) }]),
    () => then([{ kind: 'launches-fail', seconds: dice.pick([60, 300]) }]),
    () => then([{ kind: 'refresh' }]),
    () => then([{ kind: 'lose-roll', name }]),
  ];
  return Array.from({ length: dice.integer(0, 3) }, () => dice.pick(kinds)()).flat();
}

/** Half of the lifetimes have faults while the first roll runs. */
function planSpells(dice: Dice, begins: number): readonly Spell[] {
  if (dice.chance(0.5)) return [];
  return Array.from({ length: dice.integer(1, 2) }, () => {
    const from = begins + dice.integer(0, 600);
    const fault = dice.pick([
      { kind: 'killed', share: 0.1 },
      { kind: 'killed', share: 0.03 },
      { kind: 'calls-break', share: 0.2 },
      { kind: 'pollers-break', share: 0.4 },
      { kind: 'aws-throttles', share: 0.3 },
      { kind: 'calls-hang', server: 'aws', share: 0.1 },
      { kind: 'calls-hang', server: 'kubernetes', share: 0.3 },
      { kind: 'answers-late', server: 'aws' },
      { kind: 'stale-reads', kubernetesSeconds: 60, awsSeconds: 10 },
      { kind: 'kubernetes-away' },
      { kind: 'verb-denied', verb: 'patch nodes', by: 'webhook' },
      { kind: 'token-refused', caller: 'roll' },
    ] as const);
    return { from, to: from + dice.integer(30, 420), ...fault };
  });
}
