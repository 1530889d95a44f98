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

function byInstance(action: LifecycleAction): LifecycleAction {
  const { lifecycleActionToken: _, ...rest } = action;
  return rest;
}
