import {
  type AutoScalingClient,
  DeleteLifecycleHookCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeLifecycleHooksCommand,
} from '@aws-sdk/client-auto-scaling';

export interface HookToRemove {
  readonly autoScalingGroupName: string;
  readonly lifecycleHookName: string;
}

export type HookRemoval =
  | { readonly kind: 'removed' }
  | { readonly kind: 'no-group' }
  | { readonly kind: 'no-hook' }
  /** `i-... is in Terminating:Wait`, one for each instance. */
  | { readonly kind: 'waiting'; readonly instances: readonly string[] };

/**
 * Removes a lifecycle hook unless an instance of its group waits: Auto Scaling ends the waits of a hook that is deleted at
 * once (API reference, DeleteLifecycleHook), so that nodes would go undrained.
 */
export async function removeHook(client: AutoScalingClient, hook: HookToRemove): Promise<HookRemoval> {
  const { autoScalingGroupName: AutoScalingGroupName, lifecycleHookName: LifecycleHookName } = hook;
  const { AutoScalingGroups: [group] = [] } = await client.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [AutoScalingGroupName] }),
  );
  if (!group) return { kind: 'no-group' };
  const { LifecycleHooks: [known] = [] } = await client.send(
    new DescribeLifecycleHooksCommand({ AutoScalingGroupName, LifecycleHookNames: [LifecycleHookName] }),
  );
  if (!known) return { kind: 'no-hook' };
  const instances = (group.Instances ?? [])
    .filter(({ LifecycleState }) => LifecycleState?.endsWith(':Wait'))
    .map(({ InstanceId, LifecycleState }) => `${InstanceId} is in ${LifecycleState}`);
  if (instances.length > 0) return { kind: 'waiting', instances };
  await client.send(new DeleteLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName }));
  return { kind: 'removed' };
}
