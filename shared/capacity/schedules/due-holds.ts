import type { TimerClock } from '../../base/clock.ts';
import { messageOf } from '../../base/message-of.ts';
import { createSilence, type Silence, sideBySide } from '../../base/side-by-side.ts';
import { withinTime } from '../../base/within-time.ts';
import type { HoldContext } from '../holds/context.ts';
import { formatHold, readHold } from '../holds/hold.ts';
import { holdParameterOf } from '../holds/parameters.ts';
import { isSameRequest } from '../pod-holds/same-request.ts';
import { defaultLeadSeconds, type Launch, measuredLeadSeconds } from './measured-lead.ts';
import { groupsToMeasure, planSchedules, type ScheduledHold, type SchedulesPlan } from './plan.ts';
import { readSchedule, type ScheduleRecord } from './schedule.ts';

/** The schedules that could be read, and the errors of the others. */
export interface SchedulesRead {
  readonly records: readonly ScheduleRecord[];
  readonly failures: readonly { readonly name: string; readonly error: unknown }[];
}

/** Reads schedules and launches. */
export interface ScheduleSource {
  readonly readSchedules: () => Promise<SchedulesRead>;
  /** The newest launches of a group. */
  readonly readLaunches: (autoScalingGroupName: string) => Promise<readonly Launch[]>;
}

/**
 * Existing holds must not wait for what they do not need. A call may take three attempts of five seconds each, and a scan must end within
 * one invocation of 20 s.
 */
const schedulesMilliseconds = 6000;
const launchesMilliseconds = 4000;
const createMilliseconds = 3000;
const callsAtOnce = 10;

/** When calls for single groups and holds end, after the scan began: what an earlier part did not use is left for the next. */
const launchesEndMilliseconds = 10_000;
const createEndMilliseconds = 13_000;

/** The groups and holds whose calls were not answered the last time: their calls are made last. An environment keeps it between its scans. */
export interface ScheduleSilence {
  readonly launches: Silence<string>;
  readonly creates: Silence<{ readonly parameter: string }>;
}

export const createScheduleSilence = (): ScheduleSilence => ({
  launches: createSilence((name) => name),
  creates: createSilence(({ parameter }) => parameter),
});

/**
 * The holds that the schedules ask for now. It never rejects, because existing holds must not wait for schedules: schedules that cannot be
 * read are reported as problems. If a lead cannot be measured, the default is used.
 */
export async function dueHolds(
  source: ScheduleSource,
  clock: TimerClock,
  silence: ScheduleSilence = createScheduleSilence(),
): Promise<SchedulesPlan> {
  const now = clock.now();
  let read: SchedulesRead;
  try {
    read = await withinTime(clock, schedulesMilliseconds, source.readSchedules());
  } catch (error) {
    return { holds: [], problems: [`schedules cannot be read: ${messageOf(error)}`] };
  }
  const readings = read.records.map(readSchedule);
  const unread = read.failures.map(
    ({ name, error }) => `schedule ${name} makes no holds until it can be read: ${messageOf(error)}`,
  );
  const names = [...groupsToMeasure(readings, now)];
  const { leads, problems } = await measure(source, names, {
    clock,
    endsAt: now + launchesEndMilliseconds,
    silence: silence.launches,
  });
  const plan = planSchedules(readings, { now, measured: (name) => leads.get(name) ?? defaultLeadSeconds });
  return { holds: plan.holds, problems: [...unread, ...problems, ...plan.problems] };
}

async function measure(
  { readLaunches }: ScheduleSource,
  names: readonly string[],
  {
    clock,
    endsAt,
    silence,
  }: { readonly clock: TimerClock; readonly endsAt: number; readonly silence: Silence<string> },
): Promise<{ readonly leads: ReadonlyMap<string, number>; readonly problems: readonly string[] }> {
  const results = await sideBySide(names, async (name) => measuredLeadSeconds(await readLaunches(name)), {
    clock,
    atOnce: callsAtOnce,
    eachMilliseconds: launchesMilliseconds,
    togetherMilliseconds: Math.max(launchesMilliseconds, endsAt - clock.now()),
    silence,
  });
  return {
    leads: new Map(
      results.flatMap((result) =>
        result.status === 'fulfilled' ? [[result.item, result.value] as const] : [],
      ),
    ),
    problems: results.flatMap((result) =>
      result.status === 'rejected'
        ? [
            `the lead of ${result.item} cannot be measured, so it is ${defaultLeadSeconds} s: ${messageOf(result.reason)}`,
          ]
        : [],
    ),
  };
}

/** All holds after the due holds of schedules were created, as the texts of their parameters. */
interface MadeHolds {
  readonly texts: ReadonlyMap<string, string>;
  readonly made: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Creates the due holds that do not exist yet. A parameter is created without overwriting, so that only one of two concurrent scans creates
 * it, and a hold that an operator has extended is not changed. A hold that cannot be created stops no other.
 */
export async function makeDueHolds(
  { parameters, paths, clock }: Pick<HoldContext, 'parameters' | 'paths'> & { readonly clock: TimerClock },
  {
    due,
    texts,
    startedAt = clock.now(),
    silence = createScheduleSilence(),
  }: {
    readonly due: readonly ScheduledHold[];
    readonly texts: ReadonlyMap<string, string>;
    /** When the scan began, in epoch milliseconds. */
    readonly startedAt?: number;
    readonly silence?: ScheduleSilence;
  },
): Promise<MadeHolds> {
  const wanted = due.map((hold) => ({
    hold,
    parameter: holdParameterOf(paths, hold),
    text: formatHold({ ...hold, createdAt: clock.now() }),
  }));
  const missing = wanted.filter(({ parameter }) => !texts.has(parameter));
  const results = await sideBySide(missing, ({ parameter, text }) => parameters.create(parameter, text), {
    clock,
    atOnce: callsAtOnce,
    eachMilliseconds: createMilliseconds,
    togetherMilliseconds: Math.max(createMilliseconds, startedAt + createEndMilliseconds - clock.now()),
    silence: silence.creates,
  });
  const made = results.flatMap((result) =>
    result.status === 'fulfilled' && result.value ? [result.item] : [],
  );
  return {
    texts: new Map([...texts, ...made.map(({ parameter, text }) => [parameter, text] as const)]),
    made: made.map(({ hold }) => hold.name),
    problems: [
      ...wanted.flatMap(({ hold, parameter }) => displaced(hold, texts.get(parameter))),
      ...results.flatMap((result) =>
        result.status === 'rejected'
          ? [
              `hold ${result.item.hold.name} of ${result.item.hold.by} cannot be created: ${messageOf(result.reason)}`,
            ]
          : [],
      ),
    ],
  };
}

/** A hold of the same name that something else created. An unreadable one is reported as such. */
function displaced(due: ScheduledHold, text: string | undefined): readonly string[] {
  const reading =
    text === undefined
      ? undefined
      : readHold(text, { autoScalingGroupName: due.autoScalingGroupName, name: due.name });
  if (reading?.kind !== 'hold' || reading.hold.by === due.by) return [];
  const { nodes, pods, until, by = 'an unknown user' } = reading.hold;
  const isEnough = (pods ?? due.pods) ? isSameRequest(pods, due.pods) : nodes >= due.nodes;
  return isEnough && until >= due.until && reading.hold.endedAt === undefined
    ? []
    : [
        `hold ${due.name} of ${due.by} is not created, because ${by} created one of that name for ${pods ? `${pods.total} pods` : `${nodes} nodes`} until ${new Date(until).toISOString()}: end it`,
      ];
}
