import type { Activity, AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { isEndedLaunch, readActivities } from './activities.ts';

/** A launch fails once a minute where a zone has no capacity, and other zones may have it meanwhile. */
const maxRecords = 20;

/**
 * Why the newest launch of a group failed, in AWS's words, which name the instance type and the zone; undefined where the newest one
 * that ended was successful, or none has ended.
 */
export async function readFailedLaunch(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<string | undefined> {
  return failedLaunchIn((await readActivities(client, { autoScalingGroupName, maxRecords })).activities);
}

/** The same in activities that were read, the newest first. */
export function failedLaunchIn(activities: readonly Activity[]): string | undefined {
  const last = activities.find(isEndedLaunch);
  return last === undefined || last.StatusCode === 'Successful' ? undefined : last.StatusMessage;
}
