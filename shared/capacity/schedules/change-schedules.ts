import { planSchedule } from './check-schedule.ts';
import type { ScheduleRecord } from './schedule.ts';

/**
 * Why EventBridge Scheduler refused:
 * - `throttled`: too many calls in this account and region, or too many changes of one schedule at once;
 * - `unavailable`: no response, or a server error: a change may have been made;
 * - `denied`: the role lacks the permission;
 * - `invalid`: it does not accept the schedule;
 * - `no-group`: no deployment has made the schedule group.
 */
export class ScheduleStoreError extends Error {
  override readonly name = 'ScheduleStoreError';
  readonly code: 'throttled' | 'unavailable' | 'denied' | 'invalid' | 'no-group';

  constructor(code: ScheduleStoreError['code'], message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The schedules of a cluster. Methods reject if Scheduler refuses or does not respond. */
export interface ScheduleStore {
  list(): Promise<readonly ScheduleRecord[]>;
  read(name: string): Promise<ScheduleRecord | undefined>;
  /** Rejects with `no-group` if no deployment has made the schedule group, without which nothing can be created. */
  checkGroup(): Promise<void>;
  /** False if a schedule of that name exists. That schedule is not changed. */
  create(record: ScheduleRecord): Promise<boolean>;
  /** Replaces the whole schedule of that name; false if there is none. */
  replace(record: ScheduleRecord): Promise<boolean>;
  /** Changes nothing else; false if there is no schedule of that name. */
  setEnabled(name: string, enabled: boolean): Promise<boolean>;
  /** False if there is no schedule of that name. */
  remove(name: string): Promise<boolean>;
}

/** One call that changes a schedule. `before` and `after` are what changes, for the log. */
export interface ScheduleWrite {
  readonly action: 'create' | 'replace' | 'pause' | 'resume' | 'delete';
  readonly name: string;
  readonly before: object;
  readonly after: object;
  readonly make: () => Promise<boolean>;
}

interface ChangeOptions {
  /** Returns the same result and changes nothing. */
  readonly dryRun: boolean;
  /** Wraps each call that changes a schedule, for example to log it. */
  readonly write?: (write: ScheduleWrite) => Promise<boolean>;
}

/** GetSchedule refuses any other name (EventBridge Scheduler API reference). */
const readableName = /^[\w.-]{1,64}$/;

/** The schedule of that name; undefined if there is none, or if no schedule can have the name. */
export const lookUpSchedule = async (
  store: Pick<ScheduleStore, 'read'>,
  name: string,
): Promise<ScheduleRecord | undefined> => (readableName.test(name) ? await store.read(name) : undefined);

/** The result of `putSchedule`, and the schedule of that name as it is afterwards. */
type SchedulePut = ReturnType<typeof planSchedule>;

const mostAttempts = 3;

/**
 * Creates a schedule, or replaces the one of its name if the caller allows it. If another caller creates or deletes the schedule at the
 * same time, the result is the same as if that caller had come first: the schedule is read again and the decision made again.
 *
 * @throws ScheduleStoreError `throttled` if other callers change the schedule at every attempt.
 */
export async function putSchedule(
  store: Pick<ScheduleStore, 'read' | 'checkGroup' | 'create' | 'replace'>,
  wanted: ScheduleRecord,
  { mayReplace, dryRun, write = writeOnly }: ChangeOptions & { readonly mayReplace: boolean },
): Promise<SchedulePut> {
  const { name } = wanted;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const before = await store.read(name);
    const put = planSchedule(before, wanted, { mayReplace });
    if (put.kind === 'unchanged' || put.kind === 'taken') return put;
    if (dryRun) {
      await store.checkGroup();
      return put;
    }
    const isDone = await write({
      action: before ? 'replace' : 'create',
      name,
      before: before ? loggedFields(before) : {},
      after: loggedFields(wanted),
      make: () => (before ? store.replace(put.record) : store.create(put.record)),
    });
    if (isDone) return put;
  }
  throw new ScheduleStoreError(
    'throttled',
    `other callers are changing schedule ${name} at this moment; ask again later`,
  );
}

/** Pauses, resumes or deletes a schedule that was read before. A hold that the schedule has made lasts until its end. */
export async function changeSchedule(
  store: Pick<ScheduleStore, 'setEnabled' | 'remove'>,
  before: ScheduleRecord,
  { change, dryRun, write = writeOnly }: ChangeOptions & { readonly change: 'pause' | 'resume' | 'delete' },
): Promise<'changed' | 'unchanged' | 'missing'> {
  const { name, enabled } = before;
  const enables = change === 'resume';
  if (change !== 'delete' && enabled === enables) return 'unchanged';
  if (dryRun) return 'changed';
  const isDone = await write(
    change === 'delete'
      ? { action: change, name, before: loggedFields(before), after: {}, make: () => store.remove(name) }
      : {
          action: change,
          name,
          before: { paused: !enabled },
          after: { paused: !enables },
          make: () => store.setEnabled(name, enables),
        },
  );
  return isDone ? 'changed' : 'missing';
}

const writeOnly = ({ make }: ScheduleWrite): Promise<boolean> => make();

const loggedFields = ({ expression, timeZone, input }: ScheduleRecord): object => ({
  expression,
  timeZone,
  input,
});
