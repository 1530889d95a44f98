import type { Activity as ActivityShape, ScalingActivityStatusCode } from '@aws-sdk/client-auto-scaling';
import type { Activity, Group } from './model.ts';
import type { AutoScalingWorld } from './world.ts';

/** `2026-11-21T08:00:00Z`: AWS writes times in causes and events without milliseconds. */
export const utcSeconds = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');

export interface ActivityStart {
  readonly description: string;
  readonly cause: string;
  readonly place: { readonly subnetId: string; readonly availabilityZone: string };
  readonly statusCode?: ScalingActivityStatusCode;
  readonly progress?: number;
}

export function startActivity(world: AutoScalingWorld, group: Group, start: ActivityStart): Activity {
  const activity: Activity = {
    activityId: world.random.uuid(),
    groupName: group.name,
    groupArn: group.arn,
    description: start.description,
    cause: start.cause,
    startedAt: world.clock.now(),
    details: JSON.stringify({
      'Subnet ID': start.place.subnetId,
      'Availability Zone': start.place.availabilityZone,
    }),
    endedAt: undefined,
    statusCode: start.statusCode ?? 'InProgress',
    statusMessage: undefined,
    progress: start.progress ?? 0,
  };
  group.activities.push(activity);
  return activity;
}

export function progressActivity(
  activity: Activity | undefined,
  statusCode: ScalingActivityStatusCode,
  progress: number,
): void {
  if (activity === undefined || activity.endedAt !== undefined) return;
  activity.statusCode = statusCode;
  activity.progress = progress;
}

export function endActivity(
  world: AutoScalingWorld,
  activity: Activity | undefined,
  end: { readonly statusCode: 'Successful' | 'Failed' | 'Cancelled'; readonly message?: string },
): void {
  if (activity === undefined || activity.endedAt !== undefined) return;
  activity.endedAt = world.clock.now();
  activity.statusCode = end.statusCode;
  activity.statusMessage = end.message;
  activity.progress = 100;
}

/** In the shape of DescribeScalingActivities. Its end has whole seconds. */
export function toActivity(activity: Activity): ActivityShape {
  return {
    ActivityId: activity.activityId,
    AutoScalingGroupName: activity.groupName,
    AutoScalingGroupARN: activity.groupArn,
    Description: activity.description,
    Cause: activity.cause,
    StartTime: new Date(activity.startedAt),
    ...(activity.endedAt === undefined
      ? {}
      : { EndTime: new Date(Math.floor(activity.endedAt / 1000) * 1000) }),
    StatusCode: activity.statusCode,
    ...(activity.statusMessage === undefined ? {} : { StatusMessage: activity.statusMessage }),
    Progress: activity.progress,
    Details: activity.details,
  };
}
