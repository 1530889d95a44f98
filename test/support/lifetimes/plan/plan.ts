import { createRandom } from '@drover/cloud-sandbox/simulation';
import { type Conditions, planConditions, planRequestLimits, withPunctualKubelets } from './conditions.ts';
import { planContradictions, planMarkEdits, withFewNames } from './contradictions.ts';
import { diceOf } from './dice.ts';
import { withGivingBack } from './giving-back.ts';
import { type PlannedGroup, planGroups } from './groups.ts';
import { planHistory, planHookChanges, type Step } from './history.ts';
import { planHolds } from './holds.ts';
import { planJoins, withLaunchHooks } from './joins.ts';
import { isLong, lengthened } from './long.ts';
import { withRepeatedNames } from './names.ts';
import { isRolling, withRolls } from './rolls.ts';
import { planHarshSpells, planRefusals, planSpells, type Spell } from './spells.ts';
import { type PlannedWorkload, planWorkloads, withTolerations } from './workloads.ts';

/** Everything about one lifetime that is decided before it begins. */
export interface LifetimePlan {
  readonly seed: number;
  readonly groups: readonly PlannedGroup[];
  readonly workloads: readonly PlannedWorkload[];
  /** How long things happen, before they are left to settle. */
  readonly seconds: number;
  readonly history: readonly Step[];
  readonly spells: readonly Spell[];
  readonly conditions: Conditions;
  /** How often SQS hands out a message of a standard queue twice. */
  readonly duplicateChance: number;
}

/** Draws a cluster and what happens to it from a seed: the same seed gives the same plan. */
export function planLifetime(seed: number): LifetimePlan {
  const dice = diceOf(createRandom(Math.imul(seed, 2_654_435_761)));
  const groups = planGroups(dice);
  const seconds = dice.pick([600, 600, 900, 900, 1200, 3600]);
  const history = planHistory(dice, { groups, seconds });
  const plan = {
    seed,
    groups,
    workloads: planWorkloads(dice),
    seconds,
    history,
    spells: planSpells(dice, { history, seconds }),
    duplicateChance: dice.pick([0, 0, 0.2]),
  };
  // Dice of their own, so that the rest of a seed's lifetime stays what it was before there were these.
  const harshDice = diceOf(createRandom(Math.imul(seed, 2_246_822_519)));
  const harsh: LifetimePlan = {
    ...plan,
    history: [...history, ...planHookChanges(harshDice, plan)].toSorted((one, other) => one.at - other.at),
    spells: [...plan.spells, ...planHarshSpells(harshDice, plan)],
    conditions: planConditions(harshDice),
  };
  const holding = withRefusals(withRequestLimits(withContradictions(withHolds(withJoins(harsh)))));
  const namesDice = diceOf(createRandom(Math.imul(seed, 2_654_435_833)));
  const named = withRepeatedNames(namesDice, withMarkEdits(holding));
  if (isRolling(seed)) return withRolls(diceOf(createRandom(Math.imul(seed, 2_654_435_839))), named);
  return isLong(seed) ? lengthened(named) : named;
}

/** The same lifetime with marks that are edited. These dice are their own. */
function withMarkEdits(plan: LifetimePlan): LifetimePlan {
  const dice = diceOf(createRandom(Math.imul(plan.seed, 2_654_435_827)));
  const history = [...plan.history, ...planMarkEdits(dice, plan)];
  return { ...plan, history: history.toSorted((one, other) => one.at - other.at) };
}

/** The same lifetime with pods that return to cordoned nodes, and with an API server that refuses some objects or tokens. Each has dice of its own. */
function withRefusals(plan: LifetimePlan): LifetimePlan {
  const workloadDice = diceOf(createRandom(Math.imul(plan.seed, 2_654_435_789)));
  const refusalDice = diceOf(createRandom(Math.imul(plan.seed, 2_654_435_797)));
  return {
    ...plan,
    workloads: withTolerations(workloadDice, plan.workloads),
    spells: [...plan.spells, ...planRefusals(refusalDice, plan)],
  };
}

/** The same lifetime with an AWS that refuses calls. These dice are their own too. */
function withRequestLimits(plan: LifetimePlan): LifetimePlan {
  const dice = diceOf(createRandom(Math.imul(plan.seed, 2_654_435_783)));
  return { ...plan, conditions: { ...plan.conditions, ...planRequestLimits(dice) } };
}

/** The same lifetime with sources that contradict each other. These dice are their own too. */
function withContradictions(plan: LifetimePlan): LifetimePlan {
  const dice = diceOf(createRandom(Math.imul(plan.seed, 2_654_435_769)));
  const groups = withFewNames(dice, plan.groups);
  const history = [...plan.history, ...planContradictions(dice, { groups, history: plan.history })];
  return { ...plan, groups, history: history.toSorted((one, other) => one.at - other.at) };
}

/** The same lifetime with holds and schedules, by dice of their own, and by others of their own with what comes after them; the clock of `prewarm` is wrong in some. */
function withHolds(plan: LifetimePlan): LifetimePlan {
  const dice = diceOf(createRandom(Math.imul(plan.seed, 668_265_263)));
  const steps = planHolds(dice, plan);
  const prewarm = dice.chance(0.3) ? dice.integer(-90, 90) : 0;
  const { clockOffsetSeconds } = plan.conditions;
  const givingBackDice = diceOf(createRandom(Math.imul(plan.seed, 374_761_393)));
  const history = [...plan.history, ...steps].toSorted((one, other) => one.at - other.at);
  return {
    ...plan,
    ...withGivingBack(givingBackDice, { ...plan, history }),
    conditions: { ...plan.conditions, clockOffsetSeconds: { ...clockOffsetSeconds, prewarm } },
  };
}

/** The same lifetime with launch hooks. These dice are their own too. */
function withJoins(plan: LifetimePlan): LifetimePlan {
  const dice = diceOf(createRandom(Math.imul(plan.seed, 3_266_489_917)));
  const groups = withLaunchHooks(dice, plan.groups);
  const history = [...plan.history, ...planJoins(dice, { groups, seconds: plan.seconds })];
  return {
    ...plan,
    groups,
    history: history.toSorted((one, other) => one.at - other.at),
    conditions: groups.some(({ launchHook }) => launchHook)
      ? withPunctualKubelets(plan.conditions)
      : plan.conditions,
  };
}
