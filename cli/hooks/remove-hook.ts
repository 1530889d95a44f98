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
import { required } from '../../shared/aws/errors.ts';

export interface HookToRemove {
  readonly autoScalingGroupName: string;
  readonly lifecycleHookName: string;
  /** A group of another cluster keeps its hooks. Undefined if no cluster is given. */
  readonly clusterName: string | undefined;
  /** Says what the removal would come to, and removes nothing. */
  readonly isDryRun: boolean;
}

export type HookRemoval =
  | { readonly kind: 'removed' }
  | { readonly kind: 'no-group' }
  /** The tags name another cluster, and not the one that is named. */
  | { readonly kind: 'foreign'; readonly cluster: string }
  /** With the hooks that the group has. */
  | { readonly kind: 'no-hook'; readonly others: readonly string[] }
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
  const cluster = otherCluster(group, hook.clusterName);
  if (cluster !== undefined) return { kind: 'foreign', cluster };
  const answer = await client.send(new DescribeLifecycleHooksCommand({ AutoScalingGroupName }));
  const hooks = required(answer.LifecycleHooks, { ...answer, name: 'LifecycleHooks' });
  const names = hooks.flatMap((one) => one.LifecycleHookName ?? []);
  if (!names.includes(LifecycleHookName)) return { kind: 'no-hook', others: names };
  const grouped = required(group.Instances, { name: 'Instances', $metadata });
  const members = [...grouped, ...(await pooled(client, group))];
  const instances = members
    .filter(({ LifecycleState }) => LifecycleState?.endsWith(':Wait'))
    .map(({ InstanceId, LifecycleState }) => `${InstanceId} is in ${LifecycleState}`);
  if (instances.length > 0) return { kind: 'waiting', instances };
  if (!hook.isDryRun)
    await client.send(new DeleteLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName }));
  return { kind: 'removed' };
}

const ownershipPrefix = 'kubernetes.io/cluster/';

/** The cluster that the tags name instead of this one. A group without such a tag may have belonged to this one. */
function otherCluster({ Tags = [] }: AutoScalingGroup, clusterName: string | undefined): string | undefined {
  const keys = Tags.flatMap(({ Key = '' }) => (Key.startsWith(ownershipPrefix) ? [Key] : []));
  if (!clusterName || keys.includes(`${ownershipPrefix}${clusterName}`)) return undefined;
  return keys[0]?.slice(ownershipPrefix.length);
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
