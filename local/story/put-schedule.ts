import type { Cloud } from '@drover/cloud-sandbox';
import {
  type Definition,
  formatDefinition,
  scheduleGroupOf,
} from '../../shared/capacity/schedules/schedule.ts';
import { clusterName } from '../names.ts';

/** A schedule that occurs once. */
export interface OneTimeSchedule {
  readonly name: string;
  /** Epoch milliseconds, of a whole second. */
  readonly at: number;
  readonly definition: Definition;
}

/** Puts a schedule into EventBridge Scheduler, as `drover schedule create` does. */
export function putSchedule({ account }: Cloud, { name, at, definition }: OneTimeSchedule): void {
  const { operations } = account.scheduler;
  const GroupName = scheduleGroupOf(clusterName);
  const { Arn } = operations.GetScheduleGroup({ Name: GroupName });
  const tags = new Map(
    operations.ListTagsForResource({ ResourceArn: Arn }).Tags.map(({ Key, Value }) => [Key, Value]),
  );
  operations.CreateSchedule({
    GroupName,
    Name: name,
    ScheduleExpression: `at(${timeOf(at)})`,
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: tags.get('drover.dev/schedule-function'),
      RoleArn: tags.get('drover.dev/schedule-role'),
      Input: formatDefinition(definition),
    },
  });
}

/** A time in UTC as Scheduler and `drover schedule create --at` take it. */
export const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 19);
