import type { AwsEvent, Sender as ServiceSender } from '../integration.ts';
import { utcSeconds } from './activities.ts';
import type { Activity, Group, LifecycleAction, Member } from './model.ts';
import type { Passage } from './passages.ts';

/** The event of a wait: https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-event-reference.html */
export function lifecycleEvent(action: LifecycleAction, passage: Passage): AwsEvent {
  const launching = passage.transition === 'autoscaling:EC2_INSTANCE_LAUNCHING';
  return {
    source: 'aws.autoscaling',
    detailType: launching
      ? 'EC2 Instance-launch Lifecycle Action'
      : 'EC2 Instance-terminate Lifecycle Action',
    resources: [action.member.group.arn],
    detail: {
      LifecycleActionToken: action.token,
      AutoScalingGroupName: action.member.group.name,
      LifecycleHookName: action.hook.name,
      EC2InstanceId: action.member.instanceId,
      LifecycleTransition: passage.transition,
      ...metadata(action),
      Origin: passage.origin,
      Destination: passage.destination,
      ...actionOf(passage),
    },
  };
}

const actionOf = ({ action }: Passage): { Action?: string } =>
  action === undefined ? {} : { Action: action };

const metadata = (action: LifecycleAction): { NotificationMetadata?: string } =>
  action.hook.notificationMetadata === undefined
    ? {}
    : { NotificationMetadata: action.hook.notificationMetadata };

/** A hook's notification comes as the hook's role (PutLifecycleHook, RoleARN). */
export const hookSender = (group: Group, roleArn: string | undefined): ServiceSender => ({
  service: 'autoscaling.amazonaws.com',
  sourceArn: group.arn,
  ...(roleArn !== undefined && { roleArn }),
});

interface Sender {
  readonly accountId: string;
  readonly requestId: string;
  readonly now: number;
}

/**
 * The flat message to a hook's own target:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/prepare-for-lifecycle-notifications.html
 */
export function hookNotification(action: LifecycleAction, passage: Passage, sender: Sender): string {
  return JSON.stringify({
    Origin: passage.origin,
    LifecycleHookName: action.hook.name,
    Destination: passage.destination,
    AccountId: sender.accountId,
    RequestId: sender.requestId,
    LifecycleTransition: passage.transition,
    AutoScalingGroupName: action.member.group.name,
    Service: 'AWS Auto Scaling',
    Time: new Date(sender.now).toISOString(),
    EC2InstanceId: action.member.instanceId,
    ...metadata(action),
    ...actionOf(passage),
    LifecycleActionToken: action.token,
  });
}

/** What a target gets when a hook that names it is put: no transition, no hook, no instance. */
export function testNotification(group: Group, sender: Sender): string {
  return JSON.stringify({
    AccountId: sender.accountId,
    RequestId: sender.requestId,
    AutoScalingGroupARN: group.arn,
    AutoScalingGroupName: group.name,
    Service: 'AWS Auto Scaling',
    Event: 'autoscaling:TEST_NOTIFICATION',
    Time: new Date(sender.now).toISOString(),
  });
}

export type ScalingOutcome =
  | 'EC2 Instance Launch Successful'
  | 'EC2 Instance Launch Unsuccessful'
  | 'EC2 Instance Terminate Successful'
  | 'EC2 Instance Terminate Unsuccessful';

/** How a launch or a termination ended. The RequestId is the activity's id. */
export function scalingEvent(
  outcome: ScalingOutcome,
  activity: Activity,
  about: { readonly member?: Member; readonly passage: Passage; readonly instanceArn?: string },
): AwsEvent {
  return {
    source: 'aws.autoscaling',
    detailType: outcome,
    resources: [activity.groupArn, ...(about.instanceArn === undefined ? [] : [about.instanceArn])],
    detail: {
      StatusCode: outcome.endsWith('Unsuccessful') ? 'Failed' : 'InProgress',
      Description: activity.description,
      AutoScalingGroupName: activity.groupName,
      ActivityId: activity.activityId,
      Details: JSON.parse(activity.details) as unknown,
      RequestId: activity.activityId,
      StatusMessage: activity.statusMessage ?? '',
      StartTime: utcSeconds(activity.startedAt),
      EndTime: utcSeconds(activity.endedAt ?? activity.startedAt),
      EC2InstanceId: about.member?.instanceId ?? '',
      Cause: activity.cause,
      Origin: about.passage.origin,
      Destination: about.passage.destination,
    },
  };
}
