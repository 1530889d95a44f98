import type { Clock } from '../../base/clock.ts';
import type { LeavingNotice } from '../notice.ts';

/**
 * The waits that this warm function has put on the queue itself. When one is over, EC2 says that its instance shuts down and
 * that it has terminated, which the passes over the wait see anyway: of these two nobody has to be told, and whose the instance
 * is was known before. It only saves calls: whoever remembers nothing looks it up.
 */
export interface WaitsTold {
  remember(notice: LeavingNotice): void;
  /** Whether the notice says no more than that a wait of before is over. */
  knowsEnd(notice: LeavingNotice): boolean;
}

/** Twice the time that a drain has as deployed. After a longer one its end is looked up. */
const secondsToKnow = 3600;
const waitsToKeep = 5000;

/** Bounded: the oldest is forgotten first. */
export function createWaitsTold(clock: Clock): WaitsTold {
  const toldAt = new Map<string, number>();
  return {
    remember: (notice) => {
      if (!endsInstance(notice)) return;
      toldAt.delete(notice.instanceId);
      toldAt.set(notice.instanceId, clock.now());
      const oldest = toldAt.keys().next();
      if (toldAt.size > waitsToKeep && !oldest.done) toldAt.delete(oldest.value);
    },
    knowsEnd: ({ cause, instanceId }) =>
      cause === 'instance-gone' && clock.now() - (toldAt.get(instanceId) ?? -Infinity) < secondsToKnow * 1000,
  };
}

/** An instance on its way to a warm pool lives on, and may end there by itself. */
const endsInstance = ({ cause, hook, destination }: LeavingNotice): boolean =>
  cause === 'terminating' && hook !== undefined && destination !== 'WarmPool';
