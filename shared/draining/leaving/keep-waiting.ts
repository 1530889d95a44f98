import { recordActionHeartbeat } from '../../lifecycle/hook-action.ts';
import {
  heartbeatFallsDue,
  heartbeatIsDue,
  lastBeatByClock,
  waitBesideBeats,
  waitForNextBeat,
} from '../../lifecycle/hook-timing.ts';
import type { Outcome } from '../../lifecycle/outcome.ts';
import type { LeavingMark } from '../leaving-mark.ts';
import type { LeaveTerms } from './terms.ts';
import type { LeavingWorld } from './world.ts';

/** `beat`: the timer of the wait was restarted now; `ended`: nothing waits any more; `not-due`: nothing was sent. */
export type Beat = 'beat' | 'not-due' | 'ended';

/**
 * Sends a heartbeat if one is due, before anything else can fail: an API server that does not answer must not cost the
 * instance its wait. When the last one was sent stands on the Node; where there is no mark to read, or no Node to be read,
 * one is sent at every multiple of the interval since the first notice, and so they were before a mark that knows of none.
 */
export async function keepWaiting(
  world: LeavingWorld,
  terms: LeaveTerms,
  mark: LeavingMark | undefined,
): Promise<Beat> {
  const { hook, action, toldAt, deadlines } = terms;
  if (!hook || !action) return 'not-due';
  const wait = {
    now: world.clock.now(),
    since: toldAt,
    limit: deadlines.limit,
    heartbeatTimeoutSeconds: hook.heartbeatTimeoutSeconds,
  };
  const isDue = mark
    ? heartbeatIsDue({ ...wait, lastBeatAt: lastBeatBefore(mark, wait) })
    : heartbeatFallsDue(wait);
  if (!isDue) return 'not-due';
  return (await recordActionHeartbeat(world.autoScaling, action)) === 'recorded' ? 'beat' : 'ended';
}

/** Whoever left the last sign beat as well where that was due then, and would have written it into the mark that stood. */
function lastBeatBefore(
  { lastBeatAt, lastSignAt, since }: LeavingMark,
  wait: { readonly since: number; readonly heartbeatTimeoutSeconds: number },
): number {
  if (lastBeatAt !== undefined) return Date.parse(lastBeatAt);
  const until = Date.parse(lastSignAt);
  return until < wait.since ? Date.parse(since) : lastBeatByClock({ ...wait, until });
}

/** For a pass that left no mark: where heartbeats go by the clock alone, when it comes back decides how many are sent. */
export function besideBeats(
  { clock }: LeavingWorld,
  { hook, toldAt }: LeaveTerms,
  outcome: Outcome,
): Outcome {
  if (!hook || outcome.status === 'done') return outcome;
  const { heartbeatTimeoutSeconds } = hook;
  const wait = { now: clock.now(), since: toldAt, heartbeatTimeoutSeconds };
  return { ...outcome, afterSeconds: waitBesideBeats({ ...wait, seconds: outcome.afterSeconds }) };
}

/** For every pass: with the shortest timeouts it comes back in time for the next heartbeat. `beatAt`: when it sent one itself. */
export function inTimeForBeat(
  { clock }: LeavingWorld,
  { hook, toldAt }: LeaveTerms,
  {
    outcome,
    mark,
    beatAt,
  }: { readonly outcome: Outcome; readonly mark: LeavingMark | undefined; readonly beatAt?: number },
): Outcome {
  if (!hook || outcome.status === 'done') return outcome;
  const { heartbeatTimeoutSeconds } = hook;
  const known = mark ? lastBeatBefore(mark, { since: toldAt, heartbeatTimeoutSeconds }) : toldAt;
  const wait = { now: clock.now(), lastBeatAt: beatAt ?? known, heartbeatTimeoutSeconds };
  return { ...outcome, afterSeconds: waitForNextBeat({ ...wait, seconds: outcome.afterSeconds }) };
}
