import {
  type AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
} from '@aws-sdk/client-auto-scaling';
import { hasCode, isContended } from './errors.ts';

export interface GroupTag {
  readonly autoScalingGroupName: string;
  readonly key: string;
  readonly value: string;
}

/** A tag was not set or removed. The message gives the operator the reason and the remedy. */
class GroupTagError extends Error {
  override readonly name = 'GroupTagError';
}

/**
 * Sets a tag on a group. Its instances do not get the tag.
 *
 * @throws GroupTagError where the group has 50 tags already or Auto Scaling is busy with it, else AWS's error.
 */
export async function setGroupTag(client: AutoScalingClient, tag: GroupTag): Promise<void> {
  const Tags = [{ ...identityOf(tag), Value: tag.value, PropagateAtLaunch: false }];
  await explained(tag, () => client.send(new CreateOrUpdateTagsCommand({ Tags })));
}

/**
 * Removes a tag from a group; one that is not there is no mistake.
 *
 * @throws as `setGroupTag`.
 */
export async function removeGroupTag(
  client: AutoScalingClient,
  tag: Pick<GroupTag, 'autoScalingGroupName' | 'key'>,
): Promise<void> {
  await explained(tag, () => client.send(new DeleteTagsCommand({ Tags: [identityOf(tag)] })));
}

const identityOf = ({ autoScalingGroupName, key }: Pick<GroupTag, 'autoScalingGroupName' | 'key'>) => ({
  ResourceId: autoScalingGroupName,
  ResourceType: 'auto-scaling-group',
  Key: key,
});

async function explained(
  { autoScalingGroupName: name, key }: Pick<GroupTag, 'autoScalingGroupName' | 'key'>,
  call: () => Promise<unknown>,
): Promise<void> {
  try {
    await call();
  } catch (cause) {
    if (hasCode(cause, 'LimitExceeded', 'LimitExceededFault'))
      throw new GroupTagError(
        `${name} has 50 tags, the most that Auto Scaling takes, and none is left for ${key}: remove one that is not needed`,
        { cause },
      );
    if (isContended(cause))
      throw new GroupTagError(`Auto Scaling is in the middle of something with ${name}: try again`, {
        cause,
      });
    throw cause;
  }
}
