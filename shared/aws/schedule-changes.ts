import {
  CreateScheduleCommand,
  DeleteScheduleCommand,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import type { ScheduleRecord } from '../capacity/schedules/schedule.ts';
import { hasCode } from './errors.ts';
import { inGroup, type ScheduleGroup, type ScheduleTarget } from './schedule-group.ts';
import { getSchedule } from './schedules.ts';

/** A schedule with its target. */
interface TargetedSchedule {
  readonly record: ScheduleRecord;
  readonly target: ScheduleTarget;
}

/**
 * Makes a schedule; false where one of that name exists, which stays as it is.
 *
 * @throws NoScheduleGroupError
 */
export async function createSchedule(
  { client, groupName }: ScheduleGroup,
  { record, target }: TargetedSchedule,
): Promise<boolean> {
  try {
    await inGroup(groupName, () =>
      client.send(new CreateScheduleCommand({ GroupName: groupName, ...settingsOf(record, target) })),
    );
    return true;
  } catch (error) {
    if (hasCode(error, 'ConflictException')) return false;
    throw error;
  }
}

/** Replaces a schedule whole; false if there is none of that name. */
export async function replaceSchedule(
  { client, groupName }: ScheduleGroup,
  { record, target }: TargetedSchedule,
): Promise<boolean> {
  return await unlessMissing(() =>
    client.send(new UpdateScheduleCommand({ GroupName: groupName, ...settingsOf(record, target) })),
  );
}

/** It stays once it has run for the last time: a late pass still reads it. */
const settingsOf = (record: ScheduleRecord, { functionArn, roleArn }: ScheduleTarget) => ({
  Name: record.name,
  ScheduleExpression: record.expression,
  ScheduleExpressionTimezone: record.timeZone,
  State: record.enabled ? ('ENABLED' as const) : ('DISABLED' as const),
  FlexibleTimeWindow: { Mode: 'OFF' as const },
  ActionAfterCompletion: 'NONE' as const,
  Target: { Arn: functionArn, RoleArn: roleArn, Input: record.input },
  ...(record.startsAt !== undefined && { StartDate: new Date(record.startsAt) }),
  ...(record.endsAt !== undefined && { EndDate: new Date(record.endsAt) }),
});

/** Enables or disables a schedule, and keeps all else; false if there is none of that name. */
export async function setScheduleEnabled(
  group: ScheduleGroup,
  name: string,
  enabled: boolean,
): Promise<boolean> {
  const schedule = await getSchedule(group, name);
  if (schedule === undefined) return false;
  const { Arn: _arn, CreationDate: _created, LastModificationDate: _modified, ...settings } = schedule;
  const { ScheduleExpression, FlexibleTimeWindow, Target } = settings;
  const change = new UpdateScheduleCommand({
    ...settings,
    Name: name,
    GroupName: group.groupName,
    ScheduleExpression,
    FlexibleTimeWindow,
    Target,
    State: enabled ? 'ENABLED' : 'DISABLED',
  });
  return await unlessMissing(() => group.client.send(change));
}

/** Deletes a schedule; false if there is none of that name. */
export const deleteSchedule = ({ client, groupName }: ScheduleGroup, name: string): Promise<boolean> =>
  unlessMissing(() => client.send(new DeleteScheduleCommand({ GroupName: groupName, Name: name })));

/** False where the schedule is not there, or is deleted meanwhile. */
async function unlessMissing(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (hasCode(error, 'ResourceNotFoundException')) return false;
    throw error;
  }
}
