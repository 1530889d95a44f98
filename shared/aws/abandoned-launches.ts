import {
  type Activity,
  type AutoScalingClient,
  DescribeScalingActivitiesCommand,
} from '@aws-sdk/client-auto-scaling';
import { required } from './unreadable-answer.ts';

/** Launches that fail for want of capacity come every minute, and lie between those that were abandoned. */
const mostPages = 10;

/**
 * How many launches of a group were abandoned since the last one that succeeded, whatever abandoned them. Auto Scaling lists its
 * activities from the newest to the oldest, and keeps them for six weeks; the thousand newest are read at most.
 */
export async function countAbandonedLaunches(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<number> {
  let count = 0;
  let next: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { Activities, NextToken, $metadata } = await client.send(
      new DescribeScalingActivitiesCommand({
        AutoScalingGroupName: autoScalingGroupName,
        MaxRecords: 100,
        ...(next && { NextToken: next }),
      }),
    );
    const launches = required(Activities, { name: 'Activities', $metadata }).filter(isEndedLaunch);
    const lastGood = launches.findIndex(({ StatusCode }) => StatusCode === 'Successful');
    count += (lastGood === -1 ? launches : launches.slice(0, lastGood)).filter(isAbandoned).length;
    if (lastGood !== -1 || !NextToken) return count;
    next = NextToken;
  }
  return count;
}

const isEndedLaunch = ({ Description = '', EndTime }: Activity): boolean =>
  Description.startsWith('Launching a new EC2 instance') && EndTime !== undefined;

/** "Lifecycle Action with token T was abandoned: Lifecycle Action Completed with ABANDON Result", or a timeout in place of the last words. */
const isAbandoned = ({ StatusMessage = '' }: Activity): boolean => /\babandoned\b/i.test(StatusMessage);
