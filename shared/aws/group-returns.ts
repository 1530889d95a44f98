import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { instanceIdSource } from '../base/instance-id.ts';
import { readActivities } from './activities.ts';

/** As Auto Scaling describes these activities (user guide, "Temporarily remove instances", "Warm pools"). */
const returnPattern = new RegExp(
  `^(?:Moving EC2 instance out of Standby|Launching a new EC2 instance from warm pool): (${instanceIdSource})(?![0-9a-f])`,
);

/** The latest page is enough: it has the activities within a join's window, but for groups that churn. */
const maxRecords = 100;

/** When instances of a group last left Standby or the warm pool, in epoch milliseconds. */
export async function readGroupReturns(
  client: AutoScalingClient,
  autoScalingGroupName: string,
): Promise<ReadonlyMap<string, number>> {
  const { activities } = await readActivities(client, { autoScalingGroupName, maxRecords });
  const returns = new Map<string, number>();
  for (const { Description = '', StartTime } of activities) {
    const instanceId = returnPattern.exec(Description)?.[1];
    const at = StartTime?.getTime();
    if (instanceId !== undefined && at !== undefined)
      returns.set(instanceId, Math.max(at, returns.get(instanceId) ?? at));
  }
  return returns;
}
