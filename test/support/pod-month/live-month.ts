import { createRandom, createVirtualClock, type VirtualClock } from '@drover/cloud-sandbox/simulation';
import { formatDefinition, type ScheduleRecord } from '../../../shared/capacity/schedules/schedule.ts';
import { diceOf } from '../lifetimes/plan/dice.ts';
import { createAutoScaling } from './auto-scaling.ts';
import { scaleDown, scaleUp } from './autoscaler.ts';
import { createBook } from './book.ts';
import { createCluster } from './cluster.ts';
import { createJudge, type Judgement } from './judge.ts';
import { createParameterStore } from './parameters.ts';
import { doDeed, type Month, requestOf } from './people.ts';
import { groupNames, type MonthPlan, minute, type PlannedSchedule } from './plan.ts';
import { createPrewarm, type Prewarm, type Sabotage } from './prewarm.ts';
import { createWeather } from './weather.ts';

export interface MonthReport extends Judgement {
  /** What is not as it was before the month. */
  readonly left: readonly string[];
  readonly scans: number;
  readonly passes: number;
  readonly struck: number;
}

export interface MonthOptions {
  readonly sabotage?: Sabotage;
}

/** Hours after the last deed in which everything comes back. */
const restMinutes = 360;

/** Simulates a month in which several change the same groups, with faults, and judges each minute. Time without anything to do is skipped. */
export async function liveMonth(plan: MonthPlan, options: MonthOptions = {}): Promise<MonthReport> {
  const clock = createVirtualClock(plan.startsAt);
  const dice = diceOf(createRandom(plan.seed));
  const weather = createWeather({ clock, dice });
  const book = createBook();
  const cluster = createCluster(dice);
  const store = createParameterStore(clock);
  const lostBusy: string[] = [];
  let scans = 0;
  const autoScaling = createAutoScaling({
    clock,
    dice,
    cluster,
    weather,
    onDisturbed: (group) => judge.disturb(group, clock.now()),
  });
  const records = plan.schedules.map(recordOf);
  const prewarm: Prewarm = createPrewarm({
    clock,
    dice,
    weather,
    autoScaling,
    cluster,
    store,
    schedules: () => records,
    onSetBounds: (group, bounds) => {
      const { desiredCapacity = 0 } = autoScaling.sizes(group) ?? {};
      if ((bounds.maxSize ?? Infinity) < desiredCapacity)
        lostBusy.push(
          `${new Date(clock.now()).toISOString()} ${group}: MaxSize ${bounds.maxSize} terminates nodes`,
        );
    },
    onPass: (line) => judge.note(clock.now(), line),
    ...options,
  });
  const judge = createJudge({ book, cluster, autoScaling, weather, lastScan: prewarm.last });
  const month: Month = { clock, dice, book, cluster, autoScaling, store, judge, prewarm };
  const pass = async (seconds: number): Promise<void> => await passUntil(clock, clock.now() + seconds * 1000);

  for (const group of groupNames) {
    autoScaling.create(group, { minSize: 1, maxSize: 12 });
    book.setBases(group, { minSize: 1, maxSize: 12 });
  }
  for (const { name, hold, occurrences, durationMinutes, leadMinutes } of plan.schedules)
    for (const at of occurrences)
      book.booked({
        ...hold,
        name: `${name}.${at}`,
        from: at - leadMinutes * minute,
        until: at + durationMinutes * minute,
        reliedFrom: at,
      });

  for (let now = 0; now < plan.minutes + restMinutes; now += 1) {
    if (isIdle(month) && !plan.deeds.has(now)) {
      // Nothing changes before the next deed or hold.
      await pass(60);
      continue;
    }
    weather.become(
      new Set(plan.faults.flatMap(({ kind, from, to }) => (from <= now && now < to ? [kind] : []))),
    );
    noteJobs(month);
    if (!weather.has('no-scans') && (isAsked(month) || now % 10 === 0)) {
      scans += 1;
      void prewarm.scan();
    }
    await pass(20);
    cluster.settle();
    await pass(20);
    for (const group of groupNames) scaleUp(group, month);
    if (now % 5 === 0)
      for (const group of groupNames)
        if (scaleDown(group, month, clock.now())) judge.disturb(group, clock.now());
    autoScaling.retry();
    for (const deed of plan.deeds.get(now) ?? []) await doDeed(month, deed);
    await pass(10);
    cluster.settle();
    await pass(9);
    judge.judge(clock.now());
    await pass(1);
  }
  return {
    ...judge.judgement(),
    wrong: [...judge.judgement().wrong, ...lostBusy, ...prewarm.unexpected()],
    left: leftOf(month),
    scans,
    passes: prewarm.passes(),
    struck: weather.struck(),
  };
}

/** Runs what is due, and what follows from it, until that time. */
async function passUntil(clock: VirtualClock, until: number): Promise<void> {
  let more = true;
  while (more) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    more = clock.step(until);
  }
  clock.moveTo(until);
}

/** Whether a scan may find something: others only read. */
const isAsked = ({ book, clock, store }: Month): boolean =>
  store.texts.size > 0 || groupNames.some((group) => book.activeIn(group, clock.now()).length > 0);

const isIdle = ({ clock, book, cluster, autoScaling, store, prewarm }: Month): boolean =>
  store.texts.size === 0 &&
  groupNames.every((group) => {
    const { minSize = 0, desiredCapacity = 0 } = autoScaling.sizes(group) ?? {};
    return desiredCapacity === minSize && book.activeIn(group, clock.now() + minute).length === 0;
  }) &&
  cluster.isQuiet() &&
  autoScaling.isQuiet() &&
  prewarm.isQuiet();

/** A hold of a Job may be over once all its pods were bound at a scan. */
function noteJobs({ clock, book, cluster }: Month): void {
  for (const group of groupNames)
    for (const hold of book.activeIn(group, clock.now()))
      if (hold.asks.kind === 'job' && cluster.bound(hold.asks.app).length >= hold.asks.total)
        book.booked({ ...hold, isArrived: true });
}

function recordOf({
  name,
  hold,
  time,
  timeZone,
  endsAt,
  durationMinutes,
  leadMinutes,
}: PlannedSchedule): ScheduleRecord {
  const [hour = '', minuteOfHour = ''] = time.split(':');
  const pods = requestOf(hold);
  return {
    name,
    expression: `cron(${Number(minuteOfHour)} ${Number(hour)} * * ? *)`,
    timeZone,
    enabled: true,
    endsAt,
    input: formatDefinition({
      autoScalingGroupName: hold.group,
      nodes: hold.asks.kind === 'nodes' ? hold.asks.nodes : 0,
      ...(pods && { pods }),
      durationSeconds: durationMinutes * 60,
      lead: leadMinutes * 60,
      exceptions: [],
      raiseMaxSize: hold.raiseMaxSize,
    }),
  };
}

function leftOf({ book, autoScaling, store }: Month): readonly string[] {
  const bounds = groupNames.flatMap((group) => {
    const { minSize, maxSize } = book.basesOf(group);
    const sizes = autoScaling.sizes(group);
    const isBase = sizes && minSize.has(sizes.minSize) && maxSize.has(sizes.maxSize);
    return isBase ? [] : [`${group}: MinSize ${sizes?.minSize}, MaxSize ${sizes?.maxSize}`];
  });
  return [...bounds, ...store.texts.keys()];
}
