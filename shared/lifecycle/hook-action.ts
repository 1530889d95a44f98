import type { AutoScaling } from './auto-scaling.ts';
import type { LifecycleAction, LifecycleActionResult } from './group.ts';

/**
 * Ends the wait: by its token first, and by the instance if the token is no longer known, for a token belongs to one wait
 * and a message can be older than the wait that stands. `not-active` to both: nothing waits, which is what we wanted.
 */
export async function completeAction(
  autoScaling: AutoScaling,
  action: LifecycleAction,
  result: LifecycleActionResult,
): Promise<'completed' | 'not-active'> {
  const answer = await autoScaling.complete(action, result);
  if (answer === 'completed' || action.lifecycleActionToken === undefined) return answer;
  return await autoScaling.complete(byInstance(action), result);
}

/** Restarts the timer of the wait, by token or by instance as above. */
export async function recordActionHeartbeat(
  autoScaling: AutoScaling,
  action: LifecycleAction,
): Promise<'recorded' | 'not-active'> {
  const answer = await autoScaling.recordHeartbeat(action);
  if (answer === 'recorded' || action.lifecycleActionToken === undefined) return answer;
  return await autoScaling.recordHeartbeat(byInstance(action));
}

const byInstance = ({
  autoScalingGroupName,
  lifecycleHookName,
  instanceId,
}: LifecycleAction): LifecycleAction => ({
  autoScalingGroupName,
  lifecycleHookName,
  instanceId,
});
