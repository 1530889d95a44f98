import { planSchedules } from '../../../shared/capacity/schedules/plan.ts';
import type { ScheduleReading } from '../../../shared/capacity/schedules/schedule.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';

/** What keeps schedules from making holds in these groups. Pure. */
export function scheduleProblems(
  readings: readonly ScheduleReading[],
  {
    groups,
    now,
  }: { readonly groups: readonly Pick<AutoScalingGroup, 'autoScalingGroupName'>[]; readonly now: number },
): readonly string[] {
  const names = new Set(groups.map(({ autoScalingGroupName }) => autoScalingGroupName));
  const groupless = readings.flatMap((reading) =>
    reading.kind === 'schedule' && !names.has(reading.schedule.autoScalingGroupName)
      ? [reading.schedule]
      : [],
  );
  return [
    ...planSchedules(readings, { now, measured: () => 0 }).problems,
    ...groupless.map(
      ({ name, autoScalingGroupName }) =>
        `schedule ${name}: there is no managed group ${autoScalingGroupName}`,
    ),
  ];
}
