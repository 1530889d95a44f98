import type { ScheduleRecord } from './schedule.ts';

/**
 * Why EventBridge Scheduler refused:
 * - `throttled`: too many calls in this account and region;
 * - `unavailable`: no answer, or a server error: a change may have been made;
 * - `denied`: the role lacks the permission;
 * - `invalid`: it does not take the schedule;
 * - `no-group`: the deployment has made no schedule group.
 */
export class ScheduleStoreError extends Error {
  override readonly name = 'ScheduleStoreError';
  readonly code: 'throttled' | 'unavailable' | 'denied' | 'invalid' | 'no-group';

  constructor(code: ScheduleStoreError['code'], message: string, options: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The schedules of a cluster. Methods reject with a ScheduleStoreError where Scheduler refuses or does not answer. */
export interface ScheduleStore {
  list(): Promise<readonly ScheduleRecord[]>;
  read(name: string): Promise<ScheduleRecord | undefined>;
  /** False where one of that name exists already, which stays as it is. */
  create(record: ScheduleRecord): Promise<boolean>;
  /** Replaces the schedule of that name whole; false if there is none. */
  replace(record: ScheduleRecord): Promise<boolean>;
  /** Keeps all else; false if there is none of that name. */
  setEnabled(name: string, enabled: boolean): Promise<boolean>;
  /** False if there is none of that name. */
  remove(name: string): Promise<boolean>;
}
