import {
  type AutoScalingClient,
  DeleteLifecycleHookCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeLifecycleHooksCommand,
} from '@aws-sdk/client-auto-scaling';
import { toMember } from '../../shared/aws/auto-scaling.ts';
import { hasCode, required } from '../../shared/aws/errors.ts';
import { warmPoolMembers } from '../../shared/aws/warm-pools.ts';
import { otherClusterOf } from '../auto-scaling/other-cluster.ts';

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
  const tags = Object.fromEntries((group.Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));
  const cluster = otherClusterOf(tags, hook.clusterName);
  if (cluster !== undefined) return { kind: 'foreign', cluster };
  const answer = await client.send(new DescribeLifecycleHooksCommand({ AutoScalingGroupName }));
  const hooks = required(answer.LifecycleHooks, { ...answer, name: 'LifecycleHooks' });
  const names = hooks.flatMap((one) => one.LifecycleHookName ?? []);
  if (!names.includes(LifecycleHookName)) return { kind: 'no-hook', others: names };
  const grouped = required(group.Instances, { name: 'Instances', $metadata }).map(toMember);
  const pooled = group.WarmPoolConfiguration ? await warmPoolMembers(client, AutoScalingGroupName) : [];
  const instances = [...grouped, ...pooled]
    .filter(({ lifecycleState }) => lifecycleState.endsWith(':Wait'))
    .map(({ instanceId, lifecycleState }) => `${instanceId} is in ${lifecycleState}`);
  if (instances.length > 0) return { kind: 'waiting', instances };
  if (hook.isDryRun) return { kind: 'removed' };
  try {
    await client.send(new DeleteLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName }));
  } catch (error) {
    if (!isNoSuchHook(error)) throw error;
    return { kind: 'no-hook', others: names.filter((name) => name !== LifecycleHookName) };
  }
  return { kind: 'removed' };
}

/** Another run has removed it since the read. */
export const isNoSuchHook = (error: unknown): boolean =>
  hasCode(error, 'ValidationError') && /no lifecycle hook found/i.test((error as Error).message);
