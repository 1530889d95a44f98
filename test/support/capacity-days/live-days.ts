import { createRandom } from '@drover/cloud-sandbox/simulation';
import { functionsFromSource } from '../../../local/cloud/functions.ts';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import type { CreateHandler } from '../../../shared/runtime/host.ts';
import { diceOf } from '../lifetimes/plan/dice.ts';
import { leftOf } from '../lifetimes/rules/capacity.ts';
import { createCapacityBook } from '../lifetimes/watch/capacity-book.ts';
import { applyInfrastructureAsCode, autoscale, giveBackSpare, setBase } from './deeds.ts';
import { capacityWeather, type FaultState } from './faults.ts';
import { createJudge, type Judgement } from './judge/judge.ts';
import { ec2RunsOut, handsSlip, type People, peopleBound, peopleHold, peopleSchedule } from './people.ts';
import { type DaysPlan, groupNames } from './plan.ts';
import { createWatch } from './watch-changes.ts';

export interface DaysReport extends Judgement {
  /** Differences from the state before the first hold. */
  readonly left: readonly string[];
  readonly struck: number;
  /** How often Drover set bounds. */
  readonly changes: number;
}

export interface DaysOptions {
  /** Whether the other functions run too. A month is lived without them. */
  readonly allFunctions?: boolean;
  /** Called at the beginning of each day, from 0. */
  readonly onDay?: (day: number) => void;
  /** Puts a bug into `prewarm`. */
  readonly sabotage?: (create: CreateHandler) => CreateHandler;
}

interface Days extends People {
  readonly state: FaultState;
  /** Whether `drover hold list` is run: without kubelets nothing is Ready. */
  readonly isAsked: boolean;
}

/** Simulates days in which users, schedules, an autoscaler and infrastructure as code change two groups, and judges every minute. */
export async function liveDays(plan: DaysPlan, options: DaysOptions = {}): Promise<DaysReport> {
  const dice = diceOf(createRandom(plan.seed));
  const state: FaultState = { isHard: false, struck: 0 };
  const watch = createWatch();
  const world = createDroverWorld({
    seed: plan.seed,
    weather: capacityWeather(dice, state, plan.clockOffsetSeconds),
    functions: functionsOf(options, watch.create),
    // Their reports would be most of the simulation.
    ...(!options.allFunctions && { kubelets: { configure: () => undefined } }),
  });
  const book = createCapacityBook(world);
  const judge = createJudge({ world, book, plan });
  watch.begin(world, book);
  for (const autoScalingGroupName of groupNames)
    await withWorkers(world, {
      autoScalingGroupName,
      size: 3,
      settings: { MinSize: 3, MaxSize: 11 },
      ...(!options.allFunctions && { hook: undefined }),
    });
  const days = {
    plan,
    world,
    book,
    dice,
    judge,
    state,
    unscheduled: new Set<string>(),
    isAsked: options.allFunctions ?? false,
  };
  for (let now = 0; now < plan.minutes; now += 1) {
    if (now % 1440 === 0) options.onDay?.(now / 1440);
    await liveMinute(days, now);
  }
  await settle(days);
  const { wrong, ...judged } = judge.judgement();
  return {
    ...judged,
    wrong: [...watch.faults(), ...wrong],
    left: groupNames.flatMap((name) => leftOf({ world, capacity: book }, name) ?? []),
    struck: state.struck,
    changes: watch.changes(),
  };
}

const idle: CreateHandler = () => () => Promise.resolve({ batchItemFailures: [] });

const functionsOf = (
  { allFunctions = false, sabotage = (create) => create }: DaysOptions,
  watched: (create: CreateHandler) => CreateHandler,
): Readonly<Record<string, CreateHandler>> =>
  Object.fromEntries(
    Object.entries(functionsFromSource).map(([name, create]) => {
      if (name === 'prewarm') return [name, watched(sabotage(create))];
      return [name, allFunctions ? create : idle];
    }),
  );

async function liveMinute(days: Days, now: number): Promise<void> {
  const { plan, state, judge, world } = days;
  state.isHard = plan.hardHours.has(Math.floor(now / 60));
  if (state.isHard) judge.disturbed();
  await peopleHold(days, now);
  peopleSchedule(days, now);
  await handsSlip(days, now);
  peopleBound(days, now);
  ec2RunsOut(days, now);
  for (const [index, group] of groupNames.entries()) {
    if (now % 17 === index) autoscale(days, group);
    if (now % 1440 === 1000 + index) setBase(days, group);
    if (now % 1440 === 400 + index) applyInfrastructureAsCode(days, group);
    if (now % 1440 >= 400 && now % 200 <= index) judge.disturbed(group);
  }
  // An operator invokes a scan by hand, besides the scan of the same minute.
  if (now % 97 === 0) void world.lambda.invoke('prewarm', {});
  await world.timeline.pass(60);
  judge.look(groupNames, now);
  if (days.isAsked && now % 10 === 0) await judge.ask();
}

/** All holds end, the autoscaler gives back what is not needed, and there are no further changes. */
async function settle(days: Days): Promise<void> {
  const { world, state } = days;
  state.isHard = false;
  for (const group of groupNames) applyInfrastructureAsCode(days, group);
  for (let round = 0; round < 2; round += 1) {
    await world.timeline.pass(1800);
    for (const group of groupNames) giveBackSpare(days, group);
  }
  await world.timeline.pass(1800);
}
