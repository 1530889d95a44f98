import type { Clock } from '../base/clock.ts';
import { type ScheduleStore, ScheduleStoreError } from '../capacity/schedules/store.ts';
import { hasCode, refusalOf } from './errors.ts';
import { createSchedule, deleteSchedule, replaceSchedule, setScheduleEnabled } from './schedule-changes.ts';
import { NoScheduleGroupError, readScheduleTarget, type ScheduleGroup } from './schedule-group.ts';
import { readSchedule, readSchedules } from './schedules.ts';

/** The schedules of a group of EventBridge Scheduler. New ones start what the deployment has named in the tags of the group. */
export function createScheduleStore({
  clock,
  ...group
}: ScheduleGroup & { readonly clock: Clock }): ScheduleStore {
  return {
    list: () => translated(() => readSchedules({ ...group, clock })),
    read: (name) => translated(() => readSchedule(group, name)),
    create: (record) =>
      translated(async () => createSchedule(group, { record, target: await readScheduleTarget(group) })),
    replace: (record) =>
      translated(async () => replaceSchedule(group, { record, target: await readScheduleTarget(group) })),
    setEnabled: (name, enabled) => translated(() => setScheduleEnabled(group, name, enabled)),
    remove: (name) => translated(() => deleteSchedule(group, name)),
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
