import { again, type Outcome } from '../../passes/outcome.ts';
import type { LeavingContext } from '../context.ts';
import { updateEmptyMark } from '../mark-node.ts';
import type { Drained, Leaving, Marked, Planned } from '../state.ts';
import { detachmentRetrySeconds } from './await-volumes.ts';

/** Waits until every target group of the group has deregistered the instance, but not past the deadline. */
export async function awaitLoadBalancers(
  context: LeavingContext,
  state: Leaving & Planned & Marked & Drained,
): Promise<Outcome | object> {
  const { clock, targetHealth } = context;
  const { plan, instance, group } = state;
  const { instanceId } = instance;
  const { targetGroupArns } = group;
  if (clock.now() >= plan.deadlines.deadline || targetGroupArns.length === 0) return {};
  const targets = await targetHealth.draining({ instanceId, targetGroupArns });
  if (targets.length === 0) return {};
  await updateEmptyMark(context, state);
  return again(
    detachmentRetrySeconds,
    `requests may be in flight: ${targets.join(', ')} still deregisters it`,
    { waitsFor: 'targets', targetsDraining: targets.length },
  );
}
