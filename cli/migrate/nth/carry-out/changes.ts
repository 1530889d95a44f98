import {
  type AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DeleteLifecycleHookCommand,
  DeleteTagsCommand,
  PutLifecycleHookCommand,
} from '@aws-sdk/client-auto-scaling';
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
