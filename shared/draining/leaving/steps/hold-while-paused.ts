import { again, longestWaitSeconds, type Outcome } from '../../../lifecycle/outcome.ts';
import { pausedReason, pauseOf } from '../../../lifecycle/pause.ts';
import { readLeavingMark } from '../../leaving-mark.ts';
import type { LeavingContext } from '../context.ts';
import { refreshSign } from '../mark-node.ts';
import { searchNode } from '../search-node.ts';
import type { HeartbeatTried, Leaving, Planned, Started } from '../state.ts';
import { planWith } from './plan-the-leave.ts';

type State = Started & Leaving & Planned & HeartbeatTried;

/**
 * A paused group gets its heartbeats and nothing else. A pass that sends one also leaves its sign on a marked Node: without
 * it the sweep would take the wait for lost.
 */
export async function holdWhilePaused(context: LeavingContext, state: State): Promise<Outcome | object> {
  const pause = pauseOf(state.group.tags);
  if (!pause) return {};
  const node = await searchNode(context, state.subject);
  const mark = readLeavingMark(node?.metadata?.annotations);
  const plan = planWith(context, state, mark?.since);
  if (node && mark) await refreshSign(context, { node, mark, plan });
  const reason = pausedReason(pause, { now: context.clock.now(), limit: plan.deadlines.limit });
  return again(longestWaitSeconds, reason, { waitsFor: 'pause' });
}
