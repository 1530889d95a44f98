import { bySchedule } from '../holds/hold.ts';
import type { PodRequest } from '../pod-holds/pod-request.ts';
import { leadBounds } from './bounds.ts';
import type { Schedule, ScheduleReading } from './schedule.ts';
import { dateOf, type WallClock } from './time-zone.ts';
import { occurrencesAfter, timesAfter } from './timing.ts';

/** A hold that a schedule asks for. */
export interface ScheduledHold {
  readonly autoScalingGroupName: string;
  /** Derived from the schedule and the occurrence, so that one occurrence never gets a second hold. */
  readonly name: string;
  readonly nodes: number;
  /** The pods that it asks room for, instead of a number of nodes. */
  readonly pods?: PodRequest;
  /** Epoch milliseconds. */
  readonly until: number;
  readonly raiseMaxSize: boolean;
  readonly by: string;
}

export interface SchedulesPlan {
  /** The holds that should exist now. */
  readonly holds: readonly ScheduledHold[];
  /** Problems for the operator. */
  readonly problems: readonly string[];
}

/** The measured lead of a group, in seconds, by the group's name. */
type MeasuredLeads = (autoScalingGroupName: string) => number;

/** The highest number of occurrences within one duration, and so of holds that one schedule has at the same time. */
const mostAtOnce = 24;

/**
 * The holds that should exist now. A late hold is still due until its end. If several occurrences of a schedule have begun, only the newest
 * counts: its hold lasts longest, and all ask for the same number of nodes. Pure.
 */
export function planSchedules(
  readings: readonly ScheduleReading[],
  { now, measured }: { readonly now: number; readonly measured: MeasuredLeads },
): SchedulesPlan {
  const plans = readings.map((reading): SchedulesPlan => {
    if (reading.kind === 'unreadable') return { holds: [], problems: [makesNone(reading.name, reading.why)] };
    return planSchedule(reading.schedule, now, measured);
  });
  return {
    holds: plans.flatMap(({ holds }) => holds),
    problems: plans.flatMap(({ problems }) => problems),
  };
}

const makesNone = (name: string, why: string): string => `schedule ${name} makes no holds: ${why}`;

function planSchedule(schedule: Schedule, now: number, measured: MeasuredLeads): SchedulesPlan {
  if (schedule.paused) return { holds: [], problems: [] };
  if (isTooDense(schedule, now))
    return { holds: [], problems: [makesNone(schedule.name, tooDense(schedule))] };
  const begun = occurrencesBetween(schedule, {
    after: now - schedule.durationSeconds * 1000,
    to: now + leadSecondsOf(schedule, measured) * 1000,
  }).at(-1);
  return { holds: begun === undefined ? [] : [holdOf(schedule, begun)], problems: [] };
}

/** The times of the occurrences, without those on dates of exceptions. */
export function occurrencesBetween(
  schedule: Schedule,
  { after, to }: { readonly after: number; readonly to: number },
): readonly number[] {
  const moments: number[] = [];
  for (const occurrence of occurrencesAfter(schedule.timing, after)) {
    if (occurrence.kind === 'left-out') continue;
    if (occurrence.at > to) break;
    if (!isException(schedule, occurrence.wallClock)) moments.push(occurrence.at);
  }
  return moments;
}

export const isException = ({ exceptions }: Schedule, wallClock: WallClock): boolean =>
  exceptions.includes(dateOf(wallClock));

export const leadSecondsOf = ({ lead, autoScalingGroupName }: Schedule, measured: MeasuredLeads): number =>
  lead === 'measured' ? measured(autoScalingGroupName) : lead;

/** Whether more than `mostAtOnce` occurrences are within one duration. */
export function isTooDense({ timing, durationSeconds }: Schedule, now: number): boolean {
  const times: WallClock[] = [];
  for (const wallClock of timesAfter(timing.expression, now - durationSeconds * 1000)) {
    times.push(wallClock);
    const [first = wallClock] = times;
    if (wallClock - first >= durationSeconds * 1000) return false;
    if (times.length > mostAtOnce) return true;
  }
  return false;
}

export const tooDense = ({ expression }: Pick<Schedule, 'expression'>): string =>
  `${expression} runs more than ${mostAtOnce} times within its duration, so write a shorter duration or fewer times`;

/** The hold of the occurrence at a time. Its name is for example `office-hours.20261201T0805Z`. */
export function holdOf(schedule: Schedule, at: number): ScheduledHold {
  const { autoScalingGroupName, name, nodes, pods, raiseMaxSize, durationSeconds } = schedule;
  const time = new Date(at).toISOString().slice(0, 16).replaceAll(/[-:]/g, '');
  return {
    autoScalingGroupName,
    name: `${name}.${time}Z`,
    nodes,
    ...(pods && { pods }),
    until: at + durationSeconds * 1000,
    raiseMaxSize,
    by: bySchedule(name),
  };
}

/** The groups whose lead must be measured now, because an occurrence may be near enough. */
export const groupsToMeasure = (readings: readonly ScheduleReading[], now: number): ReadonlySet<string> =>
  new Set(
    readings.flatMap((reading) => {
      if (reading.kind === 'unreadable') return [];
      const { schedule } = reading;
      const isNear = () =>
        occurrencesBetween(schedule, { after: now, to: now + leadBounds.maximum * 1000 }).length > 0;
      return !schedule.paused && schedule.lead === 'measured' && isNear()
        ? [schedule.autoScalingGroupName]
        : [];
    }),
  );
