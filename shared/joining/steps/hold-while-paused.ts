import { again, longestWaitSeconds, type Outcome } from '../../passes/outcome.ts';
import { pausedReason, pauseOf } from '../../passes/pause.ts';
import type { JoiningContext } from '../context.ts';
import type { Joining, Planned } from '../state.ts';

/** A pass of a paused group sends heartbeats, and does nothing else. */
export async function holdWhilePaused(
  { clock }: JoiningContext,
  { group, plan: { hook, deadlines } }: Joining & Planned,
): Promise<Outcome | object> {
  const pause = pauseOf(group.tags);
  if (!pause) return {};
  const end = `${hook.defaultResult} ends it, the default result of ${hook.lifecycleHookName}`;
  const reason = pausedReason(pause, { now: clock.now(), limit: deadlines.limit, end });
  return again(longestWaitSeconds, reason, { waitsFor: 'pause' });
}
