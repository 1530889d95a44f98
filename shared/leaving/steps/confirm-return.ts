import type { LifecycleHook } from '../../groups/group.ts';
import { isWarmedPendingWait } from '../../groups/lifecycle-state.ts';
import type { HeartbeatResult } from '../../passes/heartbeats.ts';
import { again, done, type Outcome } from '../../passes/outcome.ts';
import type { LeavingContext, LeavingSubject } from '../context.ts';
import type { Observed, Started } from '../state.ts';

const retrySeconds = 5;

/**
 * An instance in Warmed:Pending:Wait returns to the pool or is launched into it. The token of a terminate action shows that it
 * returns. The sweep has no token. Where the group has a launching hook too, its notice counts only if Auto Scaling has accepted a
 * heartbeat for our hook: it does so only while the instance waits on it.
 */
export async function confirmReturn(
  context: LeavingContext,
  { subject, observation, heartbeat }: Started & Observed & HeartbeatResult,
): Promise<Outcome | object> {
  const { situation, instance } = observation;
  if (situation.kind !== 'waiting' || !instance || !isWarmedPendingWait(instance)) return {};
  if (subject.notices.some(({ hook }) => hook?.lifecycleActionToken !== undefined)) return {};
  const hooks = await context.autoScaling.describeHooks(instance.autoScalingGroupName);
  if (!hooks.some(isLaunching) || heartbeat === 'sent' || hasSentHeartbeat(context, subject)) return {};
  return heartbeat === 'failed'
    ? again(retrySeconds, 'it returns to the warm pool or is launched into it: a heartbeat has to show which')
    : done('it is launched into the warm pool: it does not wait on our hook');
}

const isLaunching = ({ transition }: LifecycleHook): boolean => transition === 'launching';

/** A heartbeat that failed leaves the time of the last one that was sent, or -Infinity; one for no wait removes the action. */
function hasSentHeartbeat({ memory }: LeavingContext, { instanceId }: LeavingSubject): boolean {
  const last = memory.lastHeartbeat(instanceId);
  return last?.action !== undefined && last.sentAt > -Infinity;
}
