import type { Activity, AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { isEndedLaunch, newestActivities } from './activities.ts';

/**
 * How many launches of a group were abandoned since the last one that succeeded, whatever abandoned them. Launches that fail for want of
 * capacity come every minute, and lie between those that were abandoned. The thousand newest activities are read at most.
 */
export async function countAbandonedLaunches(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<number> {
  let count = 0;
  for await (const { activities } of newestActivities(client, autoScalingGroupName)) {
    const launches = activities.filter(isEndedLaunch);
    const lastGood = launches.findIndex(({ StatusCode }) => StatusCode === 'Successful');
    count += (lastGood === -1 ? launches : launches.slice(0, lastGood)).filter(isAbandoned).length;
    if (lastGood !== -1) return count;
  }
  return count;
}

/** "Lifecycle Action with token T was abandoned: Lifecycle Action Completed with ABANDON Result", or a timeout in place of the last words. */
const isAbandoned = ({ StatusMessage = '' }: Activity): boolean => /\babandoned\b/i.test(StatusMessage);
