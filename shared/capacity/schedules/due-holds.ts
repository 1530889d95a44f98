import { messageOf } from '../../base/message-of.ts';
import { defaultLeadSeconds, type Launch, measuredLeadSeconds } from './measured-lead.ts';
import { groupsToMeasure, planSchedules, type SchedulesPlan } from './plan.ts';
import { readSchedule, type ScheduleRecord } from './schedule.ts';

/** The schedules that could be read, and why others could not. */
export interface SchedulesRead {
  readonly records: readonly ScheduleRecord[];
  readonly failures: readonly { readonly name: string; readonly error: unknown }[];
}

/** Where schedules and launches are read. */
export interface ScheduleSource {
  readonly readSchedules: () => Promise<SchedulesRead>;
  /** The newest launches of a group. */
  readonly readLaunches: (autoScalingGroupName: string) => Promise<readonly Launch[]>;
}

/**
 * The holds that the schedules ask for now. It never rejects: holds that stand must not wait for schedules that cannot be read, which
 * is a problem instead. A lead that cannot be measured is the default.
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
          `the lead of ${name} cannot be measured, and is ${defaultLeadSeconds} s: ${messageOf(error)}`,
        );
      }
    }),
  );
  return { leads, problems };
}
