import {
  type Activity,
  type AutoScalingClient,
  DescribeScalingActivitiesCommand,
} from '@aws-sdk/client-auto-scaling';
import { required } from './unreadable-answer.ts';

const mostActivities = 100;

/**
 * How many launches of a group were abandoned since the last one that succeeded, whatever abandoned them. Auto Scaling lists its
 * activities from the newest to the oldest, and keeps them for six weeks.
 */
export async function countAbandonedLaunches(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<number> {
  const { Activities, $metadata } = await client.send(
    new DescribeScalingActivitiesCommand({
      AutoScalingGroupName: autoScalingGroupName,
      MaxRecords: mostActivities,
    }),
  );
  const launches = required(Activities, { name: 'Activities', $metadata }).filter(isEndedLaunch);
  const lastGood = launches.findIndex(({ StatusCode }) => StatusCode === 'Successful');
  return (lastGood === -1 ? launches : launches.slice(0, lastGood)).filter(isAbandoned).length;
}

const isEndedLaunch = ({ Description = '', EndTime }: Activity): boolean =>
  Description.startsWith('Launching a new EC2 instance') && EndTime !== undefined;

/** "Lifecycle Action with token T was abandoned: Lifecycle Action Completed with ABANDON Result", or a timeout in place of the last words. */
const isAbandoned = ({ StatusMessage = '' }: Activity): boolean => /\babandoned\b/i.test(StatusMessage);
