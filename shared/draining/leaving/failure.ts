import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { completeAction } from '../../lifecycle/hook-action.ts';
import { done, type Outcome } from '../../lifecycle/outcome.ts';
import type { DrainRound } from './drain-round.ts';
import { release } from './release.ts';
import { tell } from './tell.ts';
import type { LeaveTerms } from './terms.ts';
import type { LeavingWorld } from './world.ts';

/** A kubelet may report the end of a pod so much after its grace. */
const reportSlackMilliseconds = 5000;

/**
 * The deadline is past and nothing that was asked to stop is within its grace any more, or the world waits no longer.
 */
export function hasFailed(now: number, { deadlines }: LeaveTerms, round: DrainRound): boolean {
  if (now >= deadlines.limit) return true;
  if (now < deadlines.deadline) return false;
  const isOnItsWay = round.plan.waitingFor.some((pod) => {
    const kind = round.answers.get(pod.uid)?.kind;
    const endsAt = pod.terminatesAt ?? -Infinity;
    return kind === 'deleted' || kind === 'evicted' || now < endsAt + reportSlackMilliseconds;
  });
  return !isOnItsWay;
}

/**
 * Ends a drain that has failed, as the group's tag says. ABANDON on termination ends the group's other hooks too, so
 * where an etcd hook stands it is CONTINUE; where the group retains abandoned instances, ABANDON keeps this one for a person.
 */
export async function fail(
  world: LeavingWorld,
  terms: LeaveTerms,
  { node, round }: { readonly node: Node; readonly round: DrainRound },
): Promise<Outcome> {
  const abandons = terms.settings.onFailure === 'ABANDON' && !terms.etcdHookStands;
  const message = `the drain has failed at its deadline, ${round.words}`;
  await tell(world, node, { type: 'Warning', reason: 'DrainFailed', message });
  const failed = { ...round.facts, drainFailed: true };
  if (!abandons) {
    const outcome = await release(world, terms, node);
    return { ...outcome, reason: `${message}; ${outcome.reason}`, facts: { ...outcome.facts, ...failed } };
  }
  world.memory.forget(terms.instance.instanceId);
  if (!terms.action) return done(`${message}; the instance is not handed back, as set`, failed);
  await completeAction(world.autoScaling, terms.action, 'ABANDON');
  const after = terms.group.retainsAbandoned
    ? 'the group retains the instance for a person'
    : 'it terminates';
  return done(`${message}; abandoned, as set: ${after}`, failed);
}
