import { messageOf } from '../../base/message-of.ts';
import type { HoldContext } from '../holds/context.ts';
import { formatHold } from '../holds/hold.ts';
import { holdParameterOf } from '../holds/parameters.ts';
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
 * The holds that the schedules ask for now. It never rejects, because existing holds must not wait for schedules: schedules that cannot be
 * read are reported as problems. If a lead cannot be measured, the default is used.
 */
export async function dueHolds(source: ScheduleSource, now: number): Promise<SchedulesPlan> {
  let read: SchedulesRead;
  try {
    read = await source.readSchedules();
  } catch (error) {
    return { holds: [], problems: [`schedules cannot be read: ${messageOf(error)}`] };
  }
  const readings = read.records.map(readSchedule);
  const unread = read.failures.map(
    ({ name, error }) => `schedule ${name} makes no holds until it can be read: ${messageOf(error)}`,
  );
  const { leads, problems } = await measure(source, groupsToMeasure(readings, now));
  const plan = planSchedules(readings, { now, measured: (name) => leads.get(name) ?? defaultLeadSeconds });
  return { holds: plan.holds, problems: [...unread, ...problems, ...plan.problems] };
}

async function measure({ readLaunches }: ScheduleSource, names: ReadonlySet<string>) {
  const leads = new Map<string, number>();
  const problems: string[] = [];
  await Promise.all(
    [...names].map(async (name) => {
      try {
        leads.set(name, measuredLeadSeconds(await readLaunches(name)));
      } catch (error) {
        problems.push(
          `the lead of ${name} cannot be measured, so it is ${defaultLeadSeconds} s: ${messageOf(error)}`,
        );
      }
    }),
  );
  return { leads, problems };
}

/** All holds after the due holds of schedules were created, as the texts of their parameters. */
interface MadeHolds {
  readonly texts: ReadonlyMap<string, string>;
  readonly made: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Creates the due holds that do not exist yet. A parameter is created without overwriting, so that only one of two concurrent scans creates
 * it, and a hold that an operator has extended is not changed.
 */
export async function makeDueHolds(
  { parameters, paths }: Pick<HoldContext, 'parameters' | 'paths'>,
  {
    due,
    texts,
    now,
  }: {
    readonly due: readonly ScheduledHold[];
    readonly texts: ReadonlyMap<string, string>;
    readonly now: number;
  },
): Promise<MadeHolds> {
  const all = new Map(texts);
  const made: string[] = [];
  const problems: string[] = [];
  await Promise.all(
    due.map(async (hold) => {
      const parameter = holdParameterOf(paths, hold);
      if (all.has(parameter)) return;
      const text = formatHold({ ...hold, createdAt: now });
      try {
        if (!(await parameters.create(parameter, text))) return;
        all.set(parameter, text);
        made.push(hold.name);
      } catch (error) {
        problems.push(`hold ${hold.name} of ${hold.by} cannot be created: ${messageOf(error)}`);
      }
    }),
  );
  return { texts: all, made, problems };
}
