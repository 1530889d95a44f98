import {
  type AutoScalingClient,
  DescribeWarmPoolCommand,
  type DescribeWarmPoolCommandOutput,
} from '@aws-sdk/client-auto-scaling';
import type { GroupMember } from '../groups/group.ts';
import { toMember } from './auto-scaling.ts';
import { required } from './errors.ts';

/**
 * The instances in the warm pool of a group, or on the way into or out of it: DescribeAutoScalingGroups does not list them. A group
 * without a pool has none.
 *
 * @throws UnreadableAnswerError
 */
export async function warmPoolMembers(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<readonly GroupMember[]> {
  const members: GroupMember[] = [];
  let NextToken: string | undefined;
  do {
    const page: DescribeWarmPoolCommandOutput = await client.send(
      new DescribeWarmPoolCommand({ AutoScalingGroupName: autoScalingGroupName, NextToken }),
    );
    members.push(...required(page.Instances, { ...page, name: 'Instances' }).map(toMember));
    NextToken = page.NextToken;
  } while (NextToken);
  return members;
}
