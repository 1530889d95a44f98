import type { Cloud } from '@drover/cloud-sandbox';
import { toScheduleRecord } from '../../../../shared/aws/schedules.ts';
import {
  readSchedule,
  type ScheduleReading,
  scheduleGroupOf,
} from '../../../../shared/capacity/schedules/schedule.ts';
import { allPages } from '../all-pages.ts';

/** The schedules of the cluster's schedule group, as Scheduler keeps them; empty if there is no such group. */
export function scheduleReadings(
  { operations }: Cloud['account']['scheduler'],
  clusterName: string,
): readonly ScheduleReading[] {
  const GroupName = scheduleGroupOf(clusterName);
  if (!operations.ListScheduleGroups().ScheduleGroups.some(({ Name }) => Name === GroupName)) return [];
  const names = allPages((NextToken) => {
    const page = operations.ListSchedules({ GroupName, ...(NextToken && { NextToken }) });
    return { items: page.Schedules ?? [], nextToken: page.NextToken };
  });
  return names
    .map(({ Name }) => readSchedule(toScheduleRecord(operations.GetSchedule({ GroupName, Name }))))
    .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

const nameOf = (reading: ScheduleReading): string =>
  reading.kind === 'schedule' ? reading.schedule.name : reading.name;
