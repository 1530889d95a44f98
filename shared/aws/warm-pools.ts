import {
  type Activity,
  type AutoScalingClient,
  DescribeWarmPoolCommand,
  type DescribeWarmPoolCommandOutput,
} from '@aws-sdk/client-auto-scaling';
import type { AutoScalingGroup, GroupMember } from '../groups/group.ts';
import type { WarmPoolWait } from '../groups/warm-pool.ts';
import { readActivities } from './activities.ts';
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

/**
 * The instances of the warm pools of these groups that wait on hooks. It costs no call for a group without a warm pool, one for a group
 * with a pool of fifty instances, and one more if an instance waits. A few pools are read at the same time.
 *
 * @throws the error of the first pool that cannot be read. Later pools are not asked: Auto Scaling may have refused it for its rate.
 */
export async function readWarmPoolWaits(
  client: AutoScalingClient,
  groups: readonly AutoScalingGroup[],
): Promise<readonly WarmPoolWait[]> {
  const pooled = groups.filter(({ hasWarmPool }) => hasWarmPool);
  const waits: WarmPoolWait[] = [];
  for (let start = 0; start < pooled.length; start += atOnce) {
    const part = pooled.slice(start, start + atOnce);
    const found = await Promise.all(part.map((group) => waitsIn(client, group.autoScalingGroupName)));
    waits.push(...found.flat());
  }
  return waits;
}

/** Auto Scaling accepts a few calls a second, and other programs of the account make some. */
const atOnce = 4;

async function waitsIn(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<readonly WarmPoolWait[]> {
  const pooled = await warmPoolMembers(client, autoScalingGroupName);
  const waiting = pooled.filter(({ lifecycleState }) => lifecycleState.endsWith(':Wait'));
  if (waiting.length === 0) return [];
  // An activity that is not listed is too new or, if there are more pages, older than those on the first one.
  const { activities, nextToken } = await readActivities(client, { autoScalingGroupName, maxRecords: 100 });
  return waiting.map(({ instanceId, lifecycleState }) => ({
    ...waitIn({ activities, hasOlder: nextToken !== undefined }, instanceId),
    instanceId,
    autoScalingGroupName,
    lifecycleState,
  }));
}

/** Since when an instance waits, and whether it returns to its pool, from the newest activities of its group. Pure. */
export function waitIn(
  { activities, hasOlder }: { readonly activities: readonly Activity[]; readonly hasOlder: boolean },
  instanceId: string,
): Pick<WarmPoolWait, 'since' | 'isReturn'> {
  const activity = activities.find(
    ({ Description = '', EndTime }) => EndTime === undefined && names(Description, instanceId),
  );
  return {
    since: (activity ?? (hasOlder ? activities.at(-1) : undefined))?.StartTime?.getTime(),
    isReturn: activity !== undefined && !isLaunch(activity),
  };
}

const names = (description: string, instanceId: string): boolean =>
  description.split(/[^\w-]/).includes(instanceId);

/** "Launching a new EC2 instance into warm pool: i-...", as Auto Scaling describes the activity. */
const isLaunch = ({ Description = '' }: Activity): boolean =>
  Description.startsWith('Launching a new EC2 instance');
