import { beatAction } from '../../lifecycle/hook-action.ts';
import { heartbeatIsDue } from '../../lifecycle/hook-timing.ts';
import type { LeavingMark } from '../leaving-mark.ts';
import type { LeaveTerms } from './terms.ts';
import type { LeavingWorld } from './world.ts';

/** `beat`: the timer of the wait was restarted now; `ended`: nothing waits any more; `not-due`: nothing was sent. */
export type Beat = 'beat' | 'not-due' | 'ended';

/**
 * Sends a heartbeat if one is due, before anything else can fail: an API server that does not answer must not cost the
 * instance its wait. When the last one was sent stands on the Node; where the Node cannot be read the first notice counts.
 */
export async function keepWaiting(
  world: LeavingWorld,
  terms: LeaveTerms,
  mark: LeavingMark | undefined,
): Promise<Beat> {
  const { hook, action } = terms;
  if (!hook || !action) return 'not-due';
  const isDue = heartbeatIsDue({
    now: world.clock.now(),
    lastBeatAt: mark?.lastBeatAt === undefined ? terms.since : Date.parse(mark.lastBeatAt),
    limit: terms.deadlines.limit,
    heartbeatTimeoutSeconds: hook.heartbeatTimeoutSeconds,
  });
  if (!isDue) return 'not-due';
  return (await beatAction(world.autoScaling, action)) === 'recorded' ? 'beat' : 'ended';
}
