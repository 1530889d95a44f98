import {
  type Activity,
  type AutoScalingClient,
  DescribeScalingActivitiesCommand,
  SetInstanceHealthCommand,
} from '@aws-sdk/client-auto-scaling';
import { required } from './unreadable-answer.ts';

/** A thousand activities: a group with more within an hour is too busy to be judged. */
const mostPages = 10;

/**
 * Makes Auto Scaling terminate an instance through its hooks, and launch another. The health check grace period of its group is
 * respected: within it, the call changes nothing.
 */
export async function setUnhealthy(client: AutoScalingClient, instanceId: string): Promise<void> {
  await client.send(
    new SetInstanceHealthCommand({
      InstanceId: instanceId,
      HealthStatus: 'Unhealthy',
      ShouldRespectGracePeriod: true,
    }),
  );
}

/**
 * How many instances of a group were terminated by a health check since then (epoch milliseconds), whatever reported them. Auto
 * Scaling lists its activities from the newest to the oldest, and keeps them for six weeks.
 *
 * @throws when there are too many activities to read.
 */
export async function countHealthReplacements(
  client: AutoScalingClient,
  autoScalingGroupName: string,
  since: number,
): Promise<number> {
  const isRecent = ({ StartTime }: Activity): boolean => (StartTime?.getTime() ?? Infinity) >= since;
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
    const recent = required(Activities, { name: 'Activities', $metadata }).filter(isRecent);
    count += recent.filter(isHealthReplacement).length;
    if (recent.length === 0 || !NextToken) return count;
    next = NextToken;
  }
  throw new Error(`${autoScalingGroupName} has had more than ${mostPages * 100} activities within the time`);
}

/**
 * "... an instance was taken out of service in response to a user health-check." (user guide, "View the reason for health check
 * failures"). Those of EC2 and of load balancers say "EC2 instance status checks", "EC2 health check" and "ELB system health check".
 */
const isHealthReplacement = ({ Description = '', Cause = '' }: Activity): boolean =>
  Description.startsWith('Terminating EC2 instance') && /\b(?:health|status).?checks?\b/i.test(Cause);
