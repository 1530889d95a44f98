import {
  CreateScheduleCommand,
  DeleteScheduleCommand,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import type { Clock } from '../base/clock.ts';
import { type ScheduleStore, ScheduleStoreError } from '../capacity/schedules/change-schedules.ts';
import type { ScheduleRecord } from '../capacity/schedules/schedule.ts';
import { hasCode, refusalOf } from './errors.ts';
import {
  getSchedule,
  inGroup,
  NoScheduleGroupError,
  readSchedule,
  readSchedules,
  readScheduleTarget,
  type ScheduleGroup,
  type ScheduleTarget,
} from './schedules.ts';

/**
 * The schedules of a group of EventBridge Scheduler. New schedules start what the deployment has named in the tags of the group. Methods
 * reject with the errors of the SDK and with a NoScheduleGroupError.
 */
export const scheduleStore = ({
  clock,
  ...group
}: ScheduleGroup & { readonly clock: Clock }): ScheduleStore => ({
  list: () => readSchedules({ ...group, clock }),
  read: (name) => readSchedule(group, name),
  checkGroup: async () => {
    await readScheduleTarget(group);
  },
  create: async (record) => createSchedule(group, { record, target: await readScheduleTarget(group) }),
  replace: async (record) => replaceSchedule(group, { record, target: await readScheduleTarget(group) }),
  setEnabled: (name, enabled) => setScheduleEnabled(group, name, enabled),
  remove: (name) => deleteSchedule(group, name),
});

/** The same for the scale API: methods reject with a ScheduleStoreError, which quotes nothing of AWS. */
export function translatedScheduleStore(group: ScheduleGroup & { readonly clock: Clock }): ScheduleStore {
  const store = scheduleStore(group);
  return {
    list: () => translated(() => store.list()),
    read: (name) => translated(() => store.read(name)),
    checkGroup: () => translated(() => store.checkGroup()),
    create: (record) => translated(() => store.create(record)),
    replace: (record) => translated(() => store.replace(record)),
    setEnabled: (name, enabled) => translated(() => store.setEnabled(name, enabled)),
    remove: (name) => translated(() => store.remove(name)),
  };
}

async function translated<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof NoScheduleGroupError)
      throw new ScheduleStoreError('no-group', cause.message, { cause });
    const code = codeOf(cause);
    throw code === undefined ? cause : new ScheduleStoreError(code, messages[code], { cause });
  }
}

function codeOf(error: unknown): keyof typeof messages | undefined {
  // Two changes of one schedule at once: Scheduler refuses one (Scheduler API reference, UpdateSchedule).
  if (hasCode(error, 'ConflictException')) return 'throttled';
  return hasCode(error, 'ValidationException') ? 'invalid' : refusalOf(error);
}

/** In our words: AWS names ARNs of roles in its own, which are the operator's and not every caller's to read. */
const messages: Readonly<Record<Exclude<ScheduleStoreError['code'], 'no-group'>, string>> = {
  throttled: 'EventBridge Scheduler takes no more changes or calls at this moment; ask again later',
  unavailable: 'EventBridge Scheduler does not answer',
  denied: 'the role of this function may not do this to the schedules; see the roles of the deployment',
  invalid: 'EventBridge Scheduler does not take this schedule',
};

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
