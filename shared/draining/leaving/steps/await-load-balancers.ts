import { again, type Outcome } from '../../../lifecycle/outcome.ts';
import type { LeavingContext } from '../context.ts';
import type { Leaving, Planned } from '../state.ts';
import { detachmentRetrySeconds } from './await-volumes.ts';

/** Waits until every target group of the group has deregistered the instance, but not past the deadline. */
export async function awaitLoadBalancers(
  { clock, targetHealth }: LeavingContext,
  { plan, instance: { instanceId }, group: { targetGroupArns } }: Leaving & Planned,
): Promise<Outcome | object> {
  if (clock.now() >= plan.deadlines.deadline || targetGroupArns.length === 0) return {};
  const targets = await targetHealth.draining({ instanceId, targetGroupArns });
  if (targets.length === 0) return {};
  return again(
    detachmentRetrySeconds,
    `requests may be in flight: ${targets.join(', ')} still deregisters it`,
    { waitsFor: 'targets', targetsDraining: targets.length },
  );
}
