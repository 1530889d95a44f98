import {
  type Activity,
  type AutoScalingClient,
  SetInstanceHealthCommand,
} from '@aws-sdk/client-auto-scaling';
import { mostActivities, newestActivities } from './activities.ts';
import { unlessBusy } from './errors.ts';

/**
 * Makes Auto Scaling terminate an instance through its hooks, and launch another. If the health check grace period of its group is respected,
 * the call changes nothing within it.
 *
 * @throws BusyError
 */
export async function setUnhealthy(
  client: AutoScalingClient,
  instanceId: string,
  { respectsGracePeriod = true }: { readonly respectsGracePeriod?: boolean } = {},
): Promise<void> {
  const input = {
    InstanceId: instanceId,
    HealthStatus: 'Unhealthy',
    ShouldRespectGracePeriod: respectsGracePeriod,
  };
  await unlessBusy(() => client.send(new SetInstanceHealthCommand(input)));
}

/** Takes back that an instance is Unhealthy. @throws if its termination has begun; BusyError if it begins at this moment. */
export async function setHealthy(client: AutoScalingClient, instanceId: string): Promise<void> {
  const input = { InstanceId: instanceId, HealthStatus: 'Healthy' };
  await unlessBusy(() => client.send(new SetInstanceHealthCommand(input)));
}

/**
 * How many instances of a group were terminated by a health check since then (epoch milliseconds), whatever reported them.
 *
 * @throws when there are too many activities to read. A group with more than a thousand within an hour is too busy to be judged.
 */
export async function countHealthReplacements(
  client: AutoScalingClient,
  autoScalingGroupName: string,
  since: number,
): Promise<number> {
  const isRecent = ({ StartTime }: Activity): boolean => (StartTime?.getTime() ?? Infinity) >= since;
  let count = 0;
  for await (const { activities, nextToken } of newestActivities(client, autoScalingGroupName)) {
    const recent = activities.filter(isRecent);
    count += recent.filter(isHealthReplacement).length;
    if (recent.length === 0 || nextToken === undefined) return count;
  }
  throw new Error(`${autoScalingGroupName} has had more than ${mostActivities} activities within the time`);
}

/**
 * "... an instance was taken out of service in response to a user health-check." (user guide, "View the reason for health check
 * failures"). The causes of EC2 and of load balancers say "EC2 instance status checks", "EC2 health check" and "ELB system health check".
 */
const isHealthReplacement = ({ Description = '', Cause = '' }: Activity): boolean =>
  Description.startsWith('Terminating EC2 instance') && /\b(?:health|status).?checks?\b/i.test(Cause);
