import { describe, expect, test } from 'vitest';
import { createCloud, createGroup, firstInstanceId, groupOf, putHook } from '../support/cloud.ts';

const group = { AutoScalingGroupName: 'workers' };
const arn = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/0123456789abcdef';

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/attach-load-balancer-asg.html
test('an attached target group gets the instances in service, and loses them when it is detached', () => {
  const cloud = createCloud();
  createGroup(cloud);
  const instanceId = firstInstanceId(cloud);
  cloud.autoScaling.operations.AttachLoadBalancerTargetGroups({ ...group, TargetGroupARNs: [arn] });
  expect(cloud.targets.registered).toEqual(new Set([instanceId]));
  expect(
    cloud.autoScaling.operations.DescribeLoadBalancerTargetGroups(group).LoadBalancerTargetGroups,
  ).toEqual([{ LoadBalancerTargetGroupARN: arn, State: 'InService' }]);
  cloud.autoScaling.operations.DetachLoadBalancerTargetGroups({ ...group, TargetGroupARNs: [arn] });
  expect(cloud.targets.registered.size).toBe(0);
  expect(groupOf(cloud).TargetGroupARNs).toEqual([]);
});

describe('the tags of groups', () => {
  const tagged = () => {
    const cloud = createCloud();
    createGroup(cloud, {
      Tags: [
        { Key: 'team', Value: 'red', PropagateAtLaunch: true },
        { Key: 'stage', Value: 'test' },
      ],
    });
    createGroup(cloud, {
      AutoScalingGroupName: 'other',
      DesiredCapacity: 0,
      Tags: [{ Key: 'team', Value: 'blue' }],
    });
    return cloud.autoScaling.operations;
  };

  test.each([
    ['auto-scaling-group', 'workers', ['team', 'stage']],
    ['key', 'team', ['team', 'team']],
    ['value', 'blue', ['team']],
    ['propagate-at-launch', 'true', ['team']],
  ])('are described by %s', (Name, value, expected) => {
    const { Tags } = tagged().DescribeTags({ Filters: [{ Name, Values: [value] }] });
    expect(Tags.map(({ Key }) => Key)).toEqual(expected);
  });

  test('can be changed and deleted', () => {
    const operations = tagged();
    operations.CreateOrUpdateTags({ Tags: [{ ResourceId: 'other', Key: 'team', Value: 'green' }] });
    operations.DeleteTags({ Tags: [{ ResourceId: 'workers', Key: 'team' }] });
    expect(operations.DescribeTags({}).Tags.map(({ ResourceId, Value }) => `${ResourceId} ${Value}`)).toEqual(
      ['workers test', 'other green'],
    );
  });

  test.each([
    ['a key that begins with aws:', { Key: 'aws:x', Value: '' }],
    ['an empty key', { Key: '', Value: '' }],
    ['a long key', { Key: 'k'.repeat(129), Value: '' }],
    ['a long value', { Key: 'k', Value: 'v'.repeat(257) }],
  ])('refuse %s', (_what, tag) => {
    const operations = tagged();
    expect(() => operations.CreateOrUpdateTags({ Tags: [{ ResourceId: 'workers', ...tag }] })).toThrow(
      expect.objectContaining({ code: 'ValidationError' }),
    );
    expect(() => operations.DescribeTags({ Filters: [{ Name: 'colour', Values: [] }] })).toThrow(
      /Filter type colour/,
    );
  });
});

describe('a new group', () => {
  test.each<[string, object, RegExp]>([
    ['a name that exists', {}, /already exists/],
    ['a minimum above the maximum', { AutoScalingGroupName: 'x', MinSize: 3, MaxSize: 1 }, /Min size/],
    [
      'a capacity outside its bounds',
      { AutoScalingGroupName: 'x', DesiredCapacity: 99 },
      /Desired capacity:99 must be between/,
    ],
    [
      'no launch template',
      { AutoScalingGroupName: 'x', LaunchTemplate: undefined },
      /Valid requests must contain either/,
    ],
    [
      'an unknown template',
      { AutoScalingGroupName: 'x', LaunchTemplate: { LaunchTemplateName: 'none' } },
      /does not exist/,
    ],
    ['an unknown subnet', { AutoScalingGroupName: 'x', VPCZoneIdentifier: 'subnet-1' }, /subnet-1/],
    [
      'no zone and no subnet',
      { AutoScalingGroupName: 'x', VPCZoneIdentifier: '' },
      /At least one Availability Zone/,
    ],
    ['a colon in its name', { AutoScalingGroupName: 'x:y' }, /autoScalingGroupName/],
    [
      'a launch configuration',
      { AutoScalingGroupName: 'x', LaunchConfigurationName: 'old' },
      /Launch configurations/,
    ],
  ])('is refused for %s', (_what, settings, message) => {
    const cloud = createCloud();
    createGroup(cloud);
    expect(() => createGroup(cloud, settings)).toThrow(message);
  });

  test('can be created with its hooks', () => {
    const cloud = createCloud();
    createGroup(cloud, {
      LifecycleHookSpecificationList: [
        {
          LifecycleHookName: 'join',
          LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
          HeartbeatTimeout: 300,
        },
      ],
    });
    expect(groupOf(cloud).Instances).toMatchObject([{ LifecycleState: 'Pending:Wait' }]);
  });
});

describe('an update', () => {
  // https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_UpdateAutoScalingGroup.html
  test('changes only the named settings, and replaces a launch template by a mixed instances policy', () => {
    const cloud = createCloud();
    createGroup(cloud, { HealthCheckGracePeriod: 60 });
    const LaunchTemplate = { LaunchTemplateSpecification: { LaunchTemplateName: 'workers', Version: '1' } };
    cloud.autoScaling.operations.UpdateAutoScalingGroup({
      ...group,
      MixedInstancesPolicy: { LaunchTemplate },
    });
    expect(groupOf(cloud)).toMatchObject({
      HealthCheckGracePeriod: 60,
      MixedInstancesPolicy: { LaunchTemplate },
    });
    expect(groupOf(cloud).LaunchTemplate).toBeUndefined();
  });

  test('of a group that is being deleted is refused', () => {
    const cloud = createCloud();
    createGroup(cloud);
    cloud.autoScaling.operations.DeleteAutoScalingGroup({ ...group, ForceDelete: true });
    expect(() => cloud.autoScaling.operations.UpdateAutoScalingGroup({ ...group, MaxSize: 5 })).toThrow(
      /pending delete/,
    );
  });

  test('to a template that is deleted later fails the launches, but not the group', () => {
    const cloud = createCloud();
    createGroup(cloud);
    cloud.ec2.operations.DeleteLaunchTemplate({ LaunchTemplateName: 'workers' });
    cloud.autoScaling.operations.SetDesiredCapacity({ ...group, DesiredCapacity: 3 });
    cloud.advance(60);
    cloud.autoScaling.operations.SetDesiredCapacity({ ...group, DesiredCapacity: 0 });
    cloud.advance(60);
    expect(groupOf(cloud).Instances).toEqual([]);
    expect(cloud.events.some(({ detailType }) => detailType === 'EC2 Instance Launch Unsuccessful')).toBe(
      true,
    );
  });
});

test('DescribeScalingActivities shows a deleted group with IncludeDeletedGroups', () => {
  const cloud = createCloud();
  createGroup(cloud);
  putHook(cloud);
  cloud.autoScaling.operations.DeleteAutoScalingGroup({ ...group, ForceDelete: true });
  cloud.advance(60);
  const { DescribeScalingActivities: describeActivities } = cloud.autoScaling.operations;
  expect(() => describeActivities(group)).toThrow(/not found/);
  const { Activities } = describeActivities({ ...group, IncludeDeletedGroups: true });
  expect(Activities.map(({ StatusCode }) => StatusCode)).toEqual(['Successful', 'Successful']);
  expect(
    describeActivities({ ActivityIds: [Activities[0]?.ActivityId ?? ''], IncludeDeletedGroups: true })
      .Activities,
  ).toHaveLength(1);
});
