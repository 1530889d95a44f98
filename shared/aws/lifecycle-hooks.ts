import { type AutoScalingClient, PutLifecycleHookCommand } from '@aws-sdk/client-auto-scaling';
import type { LifecycleHook } from '../groups/group.ts';
import { hasCode } from './errors.ts';

export interface HookOfGroup
  extends Pick<
    LifecycleHook,
    'lifecycleHookName' | 'transition' | 'heartbeatTimeoutSeconds' | 'defaultResult'
  > {
  readonly autoScalingGroupName: string;
}

/** The group has as many hooks as Auto Scaling takes. */
class TooManyHooksError extends Error {
  override readonly name = 'TooManyHooksError';
}

/**
 * Puts a hook on a group, or changes its timeout and its default result. Its notification target stays
 * (API reference, PutLifecycleHook). Waits that have begun keep what held when they began.
 *
 * @throws TooManyHooksError at 50 hooks, else AWS's error.
 */
export async function putLifecycleHook(client: AutoScalingClient, hook: HookOfGroup): Promise<void> {
  const input = {
    AutoScalingGroupName: hook.autoScalingGroupName,
    LifecycleHookName: hook.lifecycleHookName,
    LifecycleTransition: `autoscaling:EC2_INSTANCE_${hook.transition.toUpperCase()}`,
    HeartbeatTimeout: hook.heartbeatTimeoutSeconds,
    DefaultResult: hook.defaultResult,
  };
  try {
    await client.send(new PutLifecycleHookCommand(input));
  } catch (cause) {
    if (!hasCode(cause, 'LimitExceeded', 'LimitExceededFault')) throw cause;
    throw new TooManyHooksError(
      `${hook.autoScalingGroupName} has 50 lifecycle hooks, the most that Auto Scaling takes: remove one that is not needed`,
      { cause },
    );
  }
}
