import {
  type Activity,
  type AutoScalingClient,
  DescribeScalingActivitiesCommand,
} from '@aws-sdk/client-auto-scaling';
import type { Launch } from '../capacity/schedules/measured-lead.ts';
import { required } from './unreadable-answer.ts';

/** One page: the newest hundred activities of a group. */
const mostActivities = 100;

/** The successful launches among the newest activities of a group, with those from its warm pool but not those into it. */
export async function readLaunches(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<readonly Launch[]> {
  const { Activities, $metadata } = await client.send(
    new DescribeScalingActivitiesCommand({
      AutoScalingGroupName: autoScalingGroupName,
      MaxRecords: mostActivities,
    }),
  );
  return launchesIn(required(Activities, { name: 'Activities', $metadata }));
}

/** The same in activities that were read. */
export const launchesIn = (activities: readonly Activity[]): readonly Launch[] =>
  activities.flatMap(toLaunch);

function toLaunch({ Description = '', StatusCode, StartTime, EndTime }: Activity): readonly Launch[] {
  const isLaunch = /^Launching a new EC2 instance(?! into warm pool)/.test(Description);
  if (!isLaunch || StatusCode !== 'Successful' || !StartTime || !EndTime) return [];
  return [{ startedAt: StartTime.getTime(), endedAt: EndTime.getTime() }];
}
