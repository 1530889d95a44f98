import {
  type AutoScalingClient,
  type AutoScalingGroup,
  DeleteLifecycleHookCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeLifecycleHooksCommand,
  DescribeWarmPoolCommand,
  type DescribeWarmPoolCommandOutput,
  type Instance,
} from '@aws-sdk/client-auto-scaling';
import { required } from '../../shared/aws/unreadable-answer.ts';

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
  const { AutoScalingGroups, $metadata } = await client.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [AutoScalingGroupName] }),
  );
  const [group] = required(AutoScalingGroups, { name: 'AutoScalingGroups', $metadata });
  if (!group) return { kind: 'no-group' };
  const answer = await client.send(
    new DescribeLifecycleHooksCommand({ AutoScalingGroupName, LifecycleHookNames: [LifecycleHookName] }),
  );
  const hooks = required(answer.LifecycleHooks, { ...answer, name: 'LifecycleHooks' });
  if (hooks.length === 0) return { kind: 'no-hook' };
  const grouped = required(group.Instances, { name: 'Instances', $metadata });
  const members = [...grouped, ...(await pooled(client, group))];
  const instances = members
    .filter(({ LifecycleState }) => LifecycleState?.endsWith(':Wait'))
    .map(({ InstanceId, LifecycleState }) => `${InstanceId} is in ${LifecycleState}`);
  if (instances.length > 0) return { kind: 'waiting', instances };
  await client.send(new DeleteLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName }));
  return { kind: 'removed' };
}

/** The instances in the group's warm pool, or on the way into or out of it: the group itself does not list them. */
async function pooled(
  client: AutoScalingClient,
  { AutoScalingGroupName, WarmPoolConfiguration }: AutoScalingGroup,
): Promise<readonly Instance[]> {
  if (!WarmPoolConfiguration) return [];
  const instances: Instance[] = [];
  let NextToken: string | undefined;
  do {
    const page: DescribeWarmPoolCommandOutput = await client.send(
      new DescribeWarmPoolCommand({ AutoScalingGroupName, NextToken }),
    );
    instances.push(...required(page.Instances, { ...page, name: 'Instances' }));
    NextToken = page.NextToken;
  } while (NextToken);
  return instances;
}
