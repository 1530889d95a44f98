import type { Clock } from '../base/clock.ts';
import { deadlineOf, type LeavingNotice } from '../passes/leaving-notice.ts';

/** The maximumConcurrency of the mapping of the inbox. Each environment lets its part of the hurried leaves begin. */
export const mostEnvironments = 5;

/** Bounds how many instances may start to leave in a hurry within a minute. */
export interface HurryLimit {
  /** False: the notice has to wait. A notice that hurries nothing, and an instance that was admitted within the minute, never wait. */
  admit(notice: LeavingNotice): boolean;
}

const minuteMilliseconds = 60_000;

/**
 * A warning with a deadline skips the turns of the other leaves, so its number alone bounds what a flood of warnings can do. The
 * count is the memory of one environment: several environments share the bound by a part for each.
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
