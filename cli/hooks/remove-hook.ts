import type { AutoScalingApi, groupShape } from '../../shared/aws/api/auto-scaling-api.ts';
import type { ValueOf } from '../../shared/aws/api/shape.ts';

type Group = ValueOf<typeof groupShape>;

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
export async function removeHook(api: AutoScalingApi, hook: HookToRemove): Promise<HookRemoval> {
  const { autoScalingGroupName: AutoScalingGroupName, lifecycleHookName: LifecycleHookName } = hook;
  const { AutoScalingGroups } = await api.call('DescribeAutoScalingGroups', {
    AutoScalingGroupNames: [AutoScalingGroupName],
  });
  const [group] = AutoScalingGroups;
  if (!group) return { kind: 'no-group' };
  const { LifecycleHooks } = await api.call('DescribeLifecycleHooks', {
    AutoScalingGroupName,
    LifecycleHookNames: [LifecycleHookName],
  });
  if (LifecycleHooks.length === 0) return { kind: 'no-hook' };
  const members = [...group.Instances, ...(await pooled(api, group))];
  const instances = members
    .filter(({ LifecycleState }) => LifecycleState?.endsWith(':Wait'))
    .map(({ InstanceId, LifecycleState }) => `${InstanceId} is in ${LifecycleState}`);
  if (instances.length > 0) return { kind: 'waiting', instances };
  await api.call('DeleteLifecycleHook', { AutoScalingGroupName, LifecycleHookName });
  return { kind: 'removed' };
}

/** The instances in the group's warm pool, or on the way into or out of it: the group itself does not list them. */
async function pooled(
  api: AutoScalingApi,
  { AutoScalingGroupName, WarmPoolConfiguration }: Group,
): Promise<Group['Instances']> {
  if (!WarmPoolConfiguration) return [];
  const instances: Group['Instances'][number][] = [];
  let NextToken: string | undefined;
  do {
    const page = await api.call('DescribeWarmPool', { AutoScalingGroupName, NextToken });
    instances.push(...page.Instances);
    NextToken = page.NextToken;
  } while (NextToken);
  return instances;
}
