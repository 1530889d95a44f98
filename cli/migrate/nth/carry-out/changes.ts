import {
  type AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DeleteLifecycleHookCommand,
  DeleteTagsCommand,
  PutLifecycleHookCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  CreateTagsCommand,
  DeleteTagsCommand as DeleteInstanceTagsCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import { hasCode } from '../../../../shared/aws/errors.ts';
import type { LifecycleHook } from '../../../../shared/groups/group.ts';
import { isNoSuchHook } from '../../../hooks/remove-hook.ts';

/** The changes of a migration. Each may be repeated, and may have been made by another run. */

interface GroupTagValue {
  readonly value: string;
  readonly propagates: boolean;
}

const identityOf = (group: string, key: string) => ({
  ResourceId: group,
  ResourceType: 'auto-scaling-group',
  Key: key,
});

export async function setGroupTags(
  client: AutoScalingClient,
  group: string,
  tags: Readonly<Record<string, GroupTagValue>>,
): Promise<void> {
  await client.send(
    new CreateOrUpdateTagsCommand({
      Tags: Object.entries(tags).map(([key, { value, propagates }]) => ({
        ...identityOf(group, key),
        Value: value,
        PropagateAtLaunch: propagates,
      })),
    }),
  );
}

/** In one call: of a record, all parts go or none. */
export async function deleteGroupTags(
  client: AutoScalingClient,
  group: string,
  keys: readonly string[],
): Promise<void> {
  await client.send(new DeleteTagsCommand({ Tags: keys.map((key) => identityOf(group, key)) }));
}

/** With its target, role and metadata, which `putLifecycleHook` leaves out. */
export async function putWholeHook(
  client: AutoScalingClient,
  group: string,
  hook: LifecycleHook,
): Promise<void> {
  await client.send(
    new PutLifecycleHookCommand({
      AutoScalingGroupName: group,
      LifecycleHookName: hook.lifecycleHookName,
      LifecycleTransition: `autoscaling:EC2_INSTANCE_${hook.transition.toUpperCase()}`,
      HeartbeatTimeout: hook.heartbeatTimeoutSeconds,
      DefaultResult: hook.defaultResult,
      ...(hook.notificationTarget !== undefined && { NotificationTargetARN: hook.notificationTarget }),
      ...(hook.roleArn !== undefined && { RoleARN: hook.roleArn }),
      ...(hook.notificationMetadata !== undefined && { NotificationMetadata: hook.notificationMetadata }),
    }),
  );
}

export async function deleteHook(client: AutoScalingClient, group: string, name: string): Promise<void> {
  try {
    await client.send(
      new DeleteLifecycleHookCommand({ AutoScalingGroupName: group, LifecycleHookName: name }),
    );
  } catch (error) {
    if (!isNoSuchHook(error)) throw error;
  }
}

/** Sets one tag of instances and deletes another: the new one first, so that a value is never lost. */
export async function moveInstanceTag(
  ec2: EC2Client,
  {
    from,
    to,
    values,
  }: { readonly from: string; readonly to: string; readonly values: ReadonlyMap<string, string> },
): Promise<void> {
  for (const [value, ids] of byValue(values))
    await onEach(ids, async (some) => {
      await ec2.send(new CreateTagsCommand({ Resources: [...some], Tags: [{ Key: to, Value: value }] }));
      await ec2.send(new DeleteInstanceTagsCommand({ Resources: [...some], Tags: [{ Key: from }] }));
    });
}

function byValue(values: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const [id, value] of values) ids.set(value, [...(ids.get(value) ?? []), id]);
  return ids;
}

/** EC2 takes 1,000 resources a call (API reference, CreateTags); fewer keep a failed call small. */
const idsPerCall = 200;

/** A call for an instance that is gone fails for all of its instances: the others are then changed one at a time. */
async function onEach(
  ids: readonly string[],
  change: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += idsPerCall) {
    const some = ids.slice(start, start + idsPerCall);
    try {
      await change(some);
    } catch (error) {
      if (!isGone(error)) throw error;
      for (const id of some) if (some.length > 1) await onEach([id], change);
    }
  }
}

const isGone = (error: unknown): boolean => hasCode(error, 'InvalidInstanceID.NotFound', 'InvalidID');
