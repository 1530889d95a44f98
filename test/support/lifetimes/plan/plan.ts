import { createRandom } from '@drover/cloud-sandbox/simulation';
import { diceOf } from './dice.ts';
import { type PlannedGroup, planGroups } from './groups.ts';
import { planHistory, type Step } from './history.ts';
import { planSpells, type Spell } from './spells.ts';
import { type PlannedWorkload, planWorkloads } from './workloads.ts';

/** Everything about one lifetime that is decided before it begins. */
export interface LifetimePlan {
  readonly seed: number;
  readonly groups: readonly PlannedGroup[];
  readonly workloads: readonly PlannedWorkload[];
  /** How long things happen, before they are left to settle. */
  readonly seconds: number;
  readonly history: readonly Step[];
  readonly spells: readonly Spell[];
  /** How often SQS hands out a message of a standard queue twice. */
  readonly duplicateChance: number;
}

/** Draws a cluster and what happens to it from a seed: the same seed gives the same plan. */
export function planLifetime(seed: number): LifetimePlan {
  const dice = diceOf(createRandom(Math.imul(seed, 2_654_435_761)));
  const groups = planGroups(dice);
  const seconds = dice.pick([600, 600, 900, 900, 1200, 3600]);
  const history = planHistory(dice, { groups, seconds });
  return {
    seed,
    groups,
    workloads: planWorkloads(dice),
    seconds,
    history,
    spells: planSpells(dice, { history, seconds }),
    duplicateChance: dice.pick([0, 0, 0.2]),
  };
}
