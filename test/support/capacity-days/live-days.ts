import { createRandom } from '@drover/cloud-sandbox/simulation';
import { functionsFromSource } from '../../../local/cloud/functions.ts';
import type { CreateHandler } from '../../../shared/runtime/lambda.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../drover-world.ts';
import { diceOf } from '../lifetimes/plan/dice.ts';
import { faultOfLowering, leftOf } from '../lifetimes/rules/capacity.ts';
import { createCapacityBook } from '../lifetimes/watch/capacity-book.ts';
import { watchedHost } from '../lifetimes/watch/watched-host.ts';
import {
  applyInfrastructureAsCode,
  autoscale,
  deleteUnreadable,
  end,
  extend,
  type Hands,
  loseRecord,
  make,
  occur,
  schedule,
  setBase,
  unschedule,
  writeUnreadable,
} from './deeds.ts';
import { capacityWeather, type FaultState } from './faults.ts';
import { createJudge, type Judge, type Judgement } from './judge.ts';
import { type DaysPlan, groupNames, type PlannedSchedule } from './plan.ts';

export interface DaysReport extends Judgement {
  /** What is not as it was before the first hold. */
  readonly left: readonly string[];
  readonly struck: number;
  /** How often Drover set bounds. */
  readonly changes: number;
}

export interface DaysOptions {
  /** Whether the other functions run too. A month is lived without them. */
  readonly allFunctions?: boolean;
  /** Told at the beginning of each day, from 0. */
  readonly onDay?: (day: number) => void;
  /** Puts a bug into `prewarm`. */
  readonly sabotage?: (create: CreateHandler) => CreateHandler;
}

interface Days extends Hands {
  readonly plan: DaysPlan;
  readonly judge: Judge;
  readonly state: FaultState;
}

/** Lives days in which people, schedules, an autoscaler and infrastructure as code change two groups, and judges every minute of them. */
export async function liveDays(plan: DaysPlan, options: DaysOptions = {}): Promise<DaysReport> {
  const dice = diceOf(createRandom(plan.seed));
  const state: FaultState = { isHard: false, struck: 0 };
  const watch = createWatch();
  const world = createDroverWorld({
    seed: plan.seed,
    weather: capacityWeather(dice, state, plan.clockOffsetSeconds),
    functions: functionsOf(options, watch.create),
    // Their reports would be most of what is simulated.
    ...(!options.allFunctions && { kubelets: { configure: () => undefined } }),
  });
  const book = createCapacityBook(world);
  const judge = createJudge(world, book);
  watch.begin(world, book);
  for (const autoScalingGroupName of groupNames)
    await withWorkers(world, {
      autoScalingGroupName,
      size: 3,
      settings: { MinSize: 3, MaxSize: 11 },
      ...(!options.allFunctions && { hook: undefined }),
    });
  const days = { plan, world, book, dice, judge, state };
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

/** Judges every change of bounds as `prewarm` asks for it. */
function createWatch() {
  const faults: string[] = [];
  let changes = 0;
  let seen:
    | { readonly world: DroverWorld; readonly capacity: ReturnType<typeof createCapacityBook> }
    | undefined;
  return {
    begin: (world: DroverWorld, capacity: ReturnType<typeof createCapacityBook>) => {
      seen = { world, capacity };
    },
    create:
      (create: CreateHandler): CreateHandler =>
      (host) =>
        create(
          watchedHost(host, 'prewarm', {
            now: () => seen?.world.clock.now() ?? 0,
            onCall: (call) => {
              if (call.kind !== 'set-bounds' || !seen) return;
              changes += 1;
              const fault = faultOfLowering(call, { ...seen, now: seen.world.clock.now() });
              if (fault !== undefined)
                faults.push(`${new Date(seen.world.clock.now()).toISOString()} ${fault}`);
            },
            onAnswer: () => undefined,
            onLine: () => undefined,
          }),
        ),
    faults: () => faults,
    changes: () => changes,
  };
}

async function liveMinute(days: Days, now: number): Promise<void> {
  const { plan, state, judge, world } = days;
  state.isHard = plan.hardHours.has(Math.floor(now / 60));
  if (state.isHard) judge.disturbed();
  await peopleHold(days, now);
  peopleSchedule(days, now);
  await handsSlip(days, now);
  for (const [index, group] of groupNames.entries()) {
    if (now % 17 === index) autoscale(days, group);
    if (now % 1440 === 1000 + index) setBase(days, group);
    if (now % 1440 === 400 + index) applyInfrastructureAsCode(days, group);
    if (now % 1440 >= 400 && now % 200 <= index) judge.disturbed(group);
  }
  // A person asks for a look by hand, beside that of the same minute.
  if (now % 97 === 0) void world.lambda.invoke('prewarm', {});
  await world.timeline.pass(60);
  judge.look(groupNames);
}

async function peopleHold(days: Days, now: number): Promise<void> {
  for (const hold of days.plan.holds) {
    if (hold.from === now) await make(days, hold);
    if (hold.extendedAt === now) await extend(days, hold);
    if (hold.endedAt === now) await end(days, hold);
  }
}

/** The hold of a schedule may stand from the lead on, and must from its time on. */
const bookedAheadMinutes = 25;

function peopleSchedule(days: Days, now: number): void {
  for (const planned of days.plan.schedules) {
    if (planned.from === now) schedule(days, planned);
    if (planned.to === now) unschedule(days, planned);
    const at = now + bookedAheadMinutes;
    if (
      isTimeOf(planned, days, bookedAheadMinutes) &&
      at > planned.from + bookedAheadMinutes &&
      at < planned.to
    )
      occur(days, planned, bookedAheadMinutes);
  }
}

function isTimeOf({ hour, minute }: PlannedSchedule, { world }: Days, aheadMinutes: number): boolean {
  const due = new Date(world.clock.now() + aheadMinutes * 60_000);
  return due.getUTCHours() === hour && due.getUTCMinutes() === minute;
}

/** A record that is deleted while a hold stands leaves the base unknown, until a person sets MinSize again. */
async function handsSlip(days: Days, now: number): Promise<void> {
  const { plan, book, judge } = days;
  const [group] = groupNames;
  if (now === plan.recordLostAt) {
    await loseRecord(days, group);
    book.setByOthers(group, { ...book.boundsOf(group) });
  }
  if (now === plan.unreadableAt) await writeUnreadable(days, group);
  if (now === plan.unreadableAt + 30) await deleteUnreadable(days, group);
  if ([plan.recordLostAt, plan.unreadableAt, plan.unreadableAt + 30].includes(now)) judge.disturbed(group);
}

/** All holds end, the autoscaler gives back what is not needed, and the hands of people rest. */
async function settle(days: Days): Promise<void> {
  const { world, book, state } = days;
  state.isHard = false;
  for (const group of groupNames) applyInfrastructureAsCode(days, group);
  for (let round = 0; round < 2; round += 1) {
    await world.timeline.pass(1800);
    for (const AutoScalingGroupName of groupNames)
      world.account.autoScaling.operations.SetDesiredCapacity({
        AutoScalingGroupName,
        DesiredCapacity: book.boundsOf(AutoScalingGroupName).minSize,
      });
  }
  await world.timeline.pass(1800);
}
