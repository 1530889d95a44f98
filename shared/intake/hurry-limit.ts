import type { Clock } from '../base/clock.ts';
import { deadlineOf, type LeavingNotice } from '../passes/leaving-notice.ts';

/**
 * The maximumConcurrency of the event source mapping of the inbox, and the least that AWS allows. Each environment counts for itself, so
 * this is the factor by which a flood may exceed the limit.
 */
export const mostEnvironments = 2;

/** Limits how many instances may start to leave in a hurry within a minute. */
export interface HurryLimit {
  /** False if the notice must wait. A notice without a deadline, and an instance that was admitted within the minute, never wait. */
  admit(notice: LeavingNotice): boolean;
}

const minuteMilliseconds = 60_000;

/**
 * A warning with a deadline does not wait for its turn among the leaving nodes, so this is the only limit on a flood of forged warnings.
 * Each environment counts only its own and admits the whole limit: invocations that do not overlap run in one environment, and real
 * warnings must not wait for a share that no other environment uses.
 */
export function createHurryLimit({
  clock,
  perMinute,
}: {
  readonly clock: Clock;
  readonly perMinute: number;
}): HurryLimit {
  const admittedAt = new Map<string, number>();
  return {
    admit: (notice) => {
      const now = clock.now();
      if (deadlineOf(notice, now) === Infinity) return true;
      for (const [instanceId, time] of admittedAt)
        if (time <= now - minuteMilliseconds) admittedAt.delete(instanceId);
      if (admittedAt.has(notice.instanceId)) return true;
      if (admittedAt.size >= perMinute) return false;
      admittedAt.set(notice.instanceId, now);
      return true;
    },
  };
}
