import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { ActionAnswer } from '../draining/evict-pods.ts';
import { completeAction } from '../passes/hook-action.ts';
import { done, type Outcome } from '../passes/outcome.ts';
import type { LeavingContext } from './context.ts';
import type { DrainRound } from './drain-round.ts';
import type { LeavePlan } from './leave-plan.ts';
import { recordEvent } from './record-event.ts';
import type { Leaving, Marked, Planned } from './state.ts';
import { release } from './steps/complete-hook.ts';
import { tell } from './tell.ts';

/** More than the next check allows (2 s), since a drain that counts as failed is over: a kubelet may report an end this late. */
const lateReportMilliseconds = 5000;

/** For so long after the deadline a deletion that failed is tried again, where the API server may be what is at fault. */
const retryMilliseconds = 60_000;

/**
 * The limit is reached, or the deadline is past and no pod that was asked to stop is within its grace any more. A pod that ended
 * between the list and its deletion is gone: the next list shows it.
 */
export function hasDrainFailed(
  now: number,
  { plan: { deadlines }, node }: { readonly plan: LeavePlan; readonly node: Node },
  round: DrainRound,
): boolean {
  const { waitingFor, refused } = round.plan;
  const left = waitingFor.filter((pod) => round.answers.get(pod.uid)?.kind !== 'gone');
  if (left.length === 0 && refused.length === 0) return false;
  if (now >= deadlines.limit) return true;
  if (now < deadlines.deadline) return false;
  const mayRetry = now < deadlines.deadline + retryMilliseconds;
  // A node that could not be cordoned gets new pods, and would be emptied for ever.
  const takesNewPods = node.spec?.unschedulable !== true;
  if (takesNewPods && !mayRetry) return true;
  return !left.some((pod) => {
    const kind = round.answers.get(pod.uid)?.kind;
    const endsAt = pod.terminatesAt ?? -Infinity;
    const mayStillBeDeleted = isUnsettled(kind) && mayRetry;
    return (
      kind === 'deleted' || kind === 'evicted' || mayStillBeDeleted || now < endsAt + lateReportMilliseconds
    );
  });
}

const isUnsettled = (kind: ActionAnswer['kind'] | undefined): boolean =>
  kind === 'throttled' || kind === 'no-answer' || kind === 'postponed';

/** Ends a failed drain as the plan says. Where the group retains abandoned instances, ABANDON keeps this one for a person. */
export async function endFailedDrain(
  context: LeavingContext,
  state: Leaving & Planned & Marked,
  round: DrainRound,
): Promise<Outcome> {
  const { node, plan, group, instance } = state;
  const message = `the drain has failed at its deadline, ${round.summary}`;
  recordEvent(context, node, { type: 'Warning', reason: 'DrainFailed', message });
  await tell(context, {
    kind: 'drain-failed',
    node,
    mark: state.mark,
    what: `is not drained by its deadline: ${round.summary}`,
    autoScalingGroupName: instance.autoScalingGroupName,
    reasons: round.held,
  });
  const facts = { ...round.facts, drainFailed: true };
  // AWS does not say what ABANDON does to the replacement of a root volume.
  if (plan.onFailure === 'CONTINUE' || state.keepsNode) {
    const outcome = await release(context, state);
    return { ...outcome, reason: `${message}; ${outcome.reason}`, facts: { ...outcome.facts, ...facts } };
  }
  context.memory.forget(instance.instanceId);
  if (!plan.action) return done(`${message}; the instance is not handed back, as set`, facts);
  await completeAction(context.autoScaling, plan.action, 'ABANDON');
  const end = group.retainsAbandoned ? 'the group retains the instance for a person' : 'it terminates';
  return done(`${message}; abandoned, as set: ${end}`, facts);
}
