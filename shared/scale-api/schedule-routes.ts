import { lookUpSchedule } from '../capacity/schedules/change-schedules.ts';
import { measuredLeadSeconds } from '../capacity/schedules/measured-lead.ts';
import { readSchedule, type Schedule, type ScheduleRecord } from '../capacity/schedules/schedule.ts';
import { json } from './json-result.ts';
import { ProblemError } from './problem.ts';
import type { Route } from './router.ts';
import type { ScaleContext } from './scale-context.ts';
import { viewSchedule, viewSchedules } from './schedule-views.ts';
import { countQuery, noQuery } from './schemas/parameters.ts';
import { readQuery } from './validate.ts';

/** GET of the schedules of the cluster, and of one with its next occurrences. */
export const scheduleRoutes = (context: ScaleContext): readonly Route[] => [
  {
    method: 'GET',
    path: '/schedules',
    role: 'viewer',
    answer: async (call) => {
      readQuery(call, noQuery());
      const records = await context.schedules().list();
      return json(200, { schedules: viewSchedules(records.map(readSchedule), context.now()) });
    },
  },
  {
    method: 'GET',
    path: '/schedules/{schedule}',
    role: 'viewer',
    answer: async (call, { schedule: name = '' }) => {
      const { count } = readQuery(call, countQuery());
      const schedule = understood(await findSchedule(context, name));
      return json(200, await previewed(context, schedule, count === undefined ? undefined : Number(count)));
    },
  },
];

/** @throws ProblemError with status 404. */
export async function findSchedule({ schedules }: ScaleContext, name: string): Promise<ScheduleRecord> {
  const record = await lookUpSchedule(schedules(), name);
  if (record === undefined) throw scheduleNotFound();
  return record;
}

export const scheduleNotFound = (): ProblemError =>
  new ProblemError({ code: 'schedule-not-found', detail: 'the cluster has no schedule of that name' });

/** @throws ProblemError for a schedule that makes no holds. */
export function understood(record: ScheduleRecord): Schedule {
  const reading = readSchedule(record);
  if (reading.kind === 'schedule') return reading.schedule;
  throw new ProblemError({ code: 'invalid-schedule', detail: reading.why });
}

/** The view of a schedule, with the lead as of now. */
export async function previewed(
  { groups, now }: ScaleContext,
  schedule: Schedule,
  count?: number,
): Promise<ReturnType<typeof viewSchedule>> {
  const { lead, autoScalingGroupName } = schedule;
  const leadSeconds =
    lead === 'measured' ? measuredLeadSeconds(await groups.readLaunches(autoScalingGroupName)) : lead;
  return viewSchedule(schedule, { now: now(), leadSeconds, count });
}
