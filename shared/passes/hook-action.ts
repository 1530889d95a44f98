import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { LifecycleAction, LifecycleActionResult } from '../groups/group.ts';

/**
 * Ends the wait by its token, or by the instance if Auto Scaling no longer knows the token: a message may be older than the current
 * wait. `not-active` means that the instance does not wait, so nothing is left to do.
 */
export async function completeAction(
  autoScaling: Pick<AutoScaling, 'complete'>,
  action: LifecycleAction,
  result: LifecycleActionResult,
): Promise<'completed' | 'not-active'> {
  const answer = await autoScaling.complete(action, result);
  if (answer === 'completed' || action.lifecycleActionToken === undefined) return answer;
  return await autoScaling.complete(byInstance(action), result);
}

/** Restarts the timer of the wait, by its token or by the instance as above. */
export async function recordActionHeartbeat(
  autoScaling: Pick<AutoScaling, 'recordHeartbeat'>,
  action: LifecycleAction,
): Promise<'recorded' | 'not-active'> {
  const answer = await autoScaling.recordHeartbeat(action);
  if (answer === 'recorded' || action.lifecycleActionToken === undefined) return answer;
  return await autoScaling.recordHeartbeat(byInstance(action));
}

function byInstance(action: LifecycleAction): LifecycleAction {
  const { lifecycleActionToken: _, ...rest } = action;
  return rest;
}
