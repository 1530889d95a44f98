import {
  type Activity,
  type AutoScalingClient,
  DescribeScalingActivitiesCommand,
} from '@aws-sdk/client-auto-scaling';
import { required } from './unreadable-answer.ts';

/** A launch fails once a minute where a zone has no capacity, and other zones may have it meanwhile. */
const activitiesRead = 20;

/**
 * Why the newest launch of a group failed, in AWS's words, which name the instance type and the zone; undefined where the newest one
 * that ended was successful, or none has ended. Auto Scaling lists its activities from the newest to the oldest.
 */
export async function readFailedLaunch(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<string | undefined> {
  const { Activities, $metadata } = await client.send(
    new DescribeScalingActivitiesCommand({
      AutoScalingGroupName: autoScalingGroupName,
      MaxRecords: activitiesRead,
    }),
  );
  return failedLaunchIn(required(Activities, { name: 'Activities', $metadata }));
}

/** The same in activities that were read, the newest first. */
export function failedLaunchIn(activities: readonly Activity[]): string | undefined {
  const last = activities.find(isEndedLaunch);
  return last === undefined || last.StatusCode === 'Successful' ? undefined : last.StatusMessage;
}

const isEndedLaunch = ({ Description = '', EndTime }: Activity): boolean =>
  Description.startsWith('Launching a new EC2 instance') && EndTime !== undefined;
