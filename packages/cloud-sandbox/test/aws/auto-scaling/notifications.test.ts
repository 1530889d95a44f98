import { expect, test } from 'vitest';
import {
  actionsOf,
  createCloud,
  createGroup,
  firstInstanceId,
  groupOf,
  launching,
  membersOf,
  putHook,
  stateOf,
  terminate,
} from '../support/cloud.ts';
import { hookRule } from '../support/documented.ts';

const queueArn = 'arn:aws:sqs:eu-west-1:123456789012:hooks';

const announced = 'is announced on EventBridge with its token, hook, instance, origin and destination';
hookRule('a wait')(announced, 'ec2-auto-scaling-event-reference', () => {
  const cloud = createCloud();
  createGroup(cloud);
  putHook(cloud, { NotificationMetadata: '{"role":"worker"}' });
  const instanceId = firstInstanceId(cloud);
  terminate(cloud, instanceId);
  const event = cloud.events.find(
    ({ detailType }) => detailType === 'EC2 Instance-terminate Lifecycle Action',
  );
  expect(event).toMatchObject({ source: 'aws.autoscaling', resources: [groupOf(cloud).AutoScalingGroupARN] });
  expect(event?.detail).toEqual({
    LifecycleActionToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
    AutoScalingGroupName: 'workers',
    LifecycleHookName: 'drain',
    EC2InstanceId: instanceId,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    NotificationMetadata: '{"role":"worker"}',
    Origin: 'AutoScalingGroup',
    Destination: 'EC2',
  });
});

const notified = 'gets a test message when the hook is created, and a flat notification for each wait';
hookRule('a notification target')(notified, 'prepare-for-lifecycle-notifications', () => {
  const cloud = createCloud();
  createGroup(cloud);
  putHook(cloud, { NotificationTargetARN: queueArn });
  expect(JSON.parse(cloud.messages[0]?.body ?? '')).toEqual({
    AccountId: '123456789012',
    RequestId: expect.any(String),
    AutoScalingGroupARN: groupOf(cloud).AutoScalingGroupARN,
    AutoScalingGroupName: 'workers',
    Service: 'AWS Auto Scaling',
    Event: 'autoscaling:TEST_NOTIFICATION',
    Time: expect.stringMatching(/Z$/),
  });
  const instanceId = firstInstanceId(cloud);
  terminate(cloud, instanceId);
  const message = cloud.messages[1];
  expect(message?.targetArn).toBe(queueArn);
  expect(JSON.parse(message?.body ?? '')).toMatchObject({
    LifecycleHookName: 'drain',
    Service: 'AWS Auto Scaling',
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    EC2InstanceId: instanceId,
    LifecycleActionToken: actionsOf(cloud)[0]?.['LifecycleActionToken'],
    Origin: 'AutoScalingGroup',
    Destination: 'EC2',
  });
});

hookRule('a hook')(
  'whose target refuses the test message is not created',
  'prepare-for-lifecycle-notifications',
  () => {
    const cloud = createCloud();
    createGroup(cloud);
    cloud.brokenTargets.add(queueArn);
    expect(() => putHook(cloud, { NotificationTargetARN: queueArn })).toThrow(
      /Unable to publish test message/,
    );
    const hooks = cloud.autoScaling.operations.DescribeLifecycleHooks({ AutoScalingGroupName: 'workers' });
    expect(hooks.LifecycleHooks).toEqual([]);
  },
);

// The documentation does not say it; published recordings of AWS do: the default result applies at once.
test('a notification target that was deleted ends the wait with the default result', () => {
  const cloud = createCloud();
  createGroup(cloud);
  putHook(cloud, { NotificationTargetARN: queueArn });
  cloud.brokenTargets.add(queueArn);
  const instanceId = firstInstanceId(cloud);
  terminate(cloud, instanceId);
  expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
});

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-event-reference.html
test('a successful launch and a successful termination send an event with their activity', () => {
  const cloud = createCloud();
  createGroup(cloud);
  const instanceId = firstInstanceId(cloud);
  terminate(cloud, instanceId);
  cloud.advance(30);
  const ends = cloud.events.filter(({ detailType }) => detailType.endsWith('Successful'));
  expect(ends[0]).toMatchObject({
    detailType: 'EC2 Instance Launch Successful',
    resources: [
      groupOf(cloud).AutoScalingGroupARN,
      `arn:aws:ec2:eu-west-1:123456789012:instance/${instanceId}`,
    ],
    detail: {
      StatusCode: 'InProgress',
      AutoScalingGroupName: 'workers',
      EC2InstanceId: instanceId,
      Details: { 'Availability Zone': 'eu-west-1a', 'Subnet ID': 'subnet-0aaaaaaaaaaaaaaaa' },
      Cause: expect.stringMatching(/^At 2026-01-05T08:00:00Z a user request created an AutoScalingGroup/),
      Origin: 'EC2',
      Destination: 'AutoScalingGroup',
    },
  });
  expect(ends.map(({ detailType }) => detailType)).toContain('EC2 Instance Terminate Successful');
});

hookRule('a wait')(
  'on the way into or out of the warm pool names the pool',
  'warm-pools-eventbridge-events',
  () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 0, MaxSize: 1 });
    putHook(cloud, { LifecycleTransition: launching, HeartbeatTimeout: 30 });
    cloud.autoScaling.operations.PutWarmPool({ AutoScalingGroupName: 'workers' });
    cloud.advance(100);
    cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 1 });
    cloud.advance(100);
    expect(
      actionsOf(cloud).map(({ Origin, Destination }) => `${String(Origin)} -> ${String(Destination)}`),
    ).toEqual(['EC2 -> WarmPool', 'WarmPool -> AutoScalingGroup']);
    expect(membersOf(cloud)).toHaveLength(1);
  },
);
