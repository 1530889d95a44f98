import { again, longestWaitSeconds, type Outcome } from '../../passes/outcome.ts';
import { pausedReason, pauseOf } from '../../passes/pause.ts';
import type { LeavingContext } from '../context.ts';
import { renewMark } from '../mark-node.ts';
import { planWithNode } from '../plan-with.ts';
import type { Leaving, Planned, Started } from '../state.ts';

type State = Started & Leaving & Planned;

/**
 * A pass of a paused group sends heartbeats and renews the mark of the Node, and does nothing else. Without the renewal the sweep
 * would send each wait to the queue again.
 */
export async function holdWhilePaused(context: LeavingContext, state: State): Promise<Outcome | object> {
  const pause = pauseOf(state.group.tags);
  if (!pause) return {};
  const found = await planWithNode(context, state);
  const { plan } = found ?? state;
  if (found?.mark) await renewMark(context, { node: found.node, mark: found.mark, plan });
  const reason = pausedReason(pause, { now: context.clock.now(), limit: plan.deadlines.limit });
  return again(longestWaitSeconds, reason, { waitsFor: 'pause' });
}
