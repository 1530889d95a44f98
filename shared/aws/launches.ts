import type { Activity, AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { Launch } from '../capacity/schedules/measured-lead.ts';
import { readActivities } from './activities.ts';

/** One page: the newest hundred activities of a group. */
const maxRecords = 100;

/** The successful launches among the newest activities of a group, with those from its warm pool but not those into it. */
export async function readLaunches(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<readonly Launch[]> {
  return launchesIn((await readActivities(client, { autoScalingGroupName, maxRecords })).activities);
}

/** The same in activities that were read. */
export const launchesIn = (activities: readonly Activity[]): readonly Launch[] =>
  activities.flatMap(toLaunch);

function toLaunch({ Description = '', StatusCode, StartTime, EndTime }: Activity): readonly Launch[] {
  const isLaunch = /^Launching a new EC2 instance(?! into warm pool)/.test(Description);
  if (!isLaunch || StatusCode !== 'Successful' || !StartTime || !EndTime) return [];
  return [{ startedAt: StartTime.getTime(), endedAt: EndTime.getTime() }];
}
