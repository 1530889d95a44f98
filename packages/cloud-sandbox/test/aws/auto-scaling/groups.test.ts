import { describe, expect, test } from 'vitest';
import { createCloud, createGroup, firstInstanceId, groupOf, putHook, terminate } from '../support/cloud.ts';
import { hookRule } from '../support/documented.ts';

describe('a group', () => {
  test('is found by its tags, page by page', () => {
    const cloud = createCloud();
    createGroup(cloud, { Tags: [{ Key: 'kubernetes.io/cluster/drover', Value: 'owned' }] });
    for (const name of ['a', 'b']) createGroup(cloud, { AutoScalingGroupName: name, DesiredCapacity: 0 });
    cloud.autoScaling.operations.CreateOrUpdateTags({
      Tags: [{ ResourceId: 'b', Key: 'kubernetes.io/cluster/drover', Value: 'shared' }],
    });
    const describe = cloud.autoScaling.operations.DescribeAutoScalingGroups;
    const namesOf = (Filters: { Name: string; Values: string[] }[]) =>
      describe({ Filters }).AutoScalingGroups.map(({ AutoScalingGroupName }) => AutoScalingGroupName);
    expect(namesOf([{ Name: 'tag-key', Values: ['kubernetes.io/cluster/drover'] }])).toEqual([
      'workers',
      'b',
    ]);
    expect(namesOf([{ Name: 'tag:kubernetes.io/cluster/drover', Values: ['owned'] }])).toEqual(['workers']);
    const first = describe({ MaxRecords: 2 });
    expect(first.AutoScalingGroups).toHaveLength(2);
    const second = describe({ MaxRecords: 2, NextToken: first.NextToken });
    expect(second.AutoScalingGroups).toHaveLength(1);
    expect(second.NextToken).toBeUndefined();
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-tagging.html
  test('has at most fifty tags, and copies the propagated ones to new instances', () => {
    const cloud = createCloud();
    createGroup(cloud, { Tags: [{ Key: 'role', Value: 'worker', PropagateAtLaunch: true }] });
    const tags = cloud.ec2.instances.find(firstInstanceId(cloud))?.tags;
    expect(Object.fromEntries(tags ?? [])).toMatchObject({
      role: 'worker',
      'aws:autoscaling:groupName': 'workers',
    });
    const more = Array.from({ length: 50 }, (_unused, index) => ({
      ResourceId: 'workers',
      Key: `key-${index}`,
      Value: '',
    }));
    expect(() => cloud.autoScaling.operations.CreateOrUpdateTags({ Tags: more })).toThrow(
      expect.objectContaining({ code: 'LimitExceeded' }),
    );
    expect(groupOf(cloud).Tags).toHaveLength(1);
  });

  const deleted = 'is deleted only if it is empty, or by force without waiting for hooks';
  hookRule('a group')(deleted, 'API_DeleteAutoScalingGroup, ForceDelete', () => {
    const cloud = createCloud();
    createGroup(cloud);
    putHook(cloud, { HeartbeatTimeout: 7200 });
    const group = { AutoScalingGroupName: 'workers' };
    expect(() => cloud.autoScaling.operations.DeleteAutoScalingGroup(group)).toThrow(
      expect.objectContaining({ code: 'ResourceInUse' }),
    );
    cloud.autoScaling.operations.DeleteAutoScalingGroup({ ...group, ForceDelete: true });
    expect(groupOf(cloud).Status).toBe('Delete in progress');
    cloud.advance(30);
    expect(cloud.autoScaling.operations.DescribeAutoScalingGroups({}).AutoScalingGroups).toEqual([]);
  });

  const ended = 'that is deleted by force ends the waits of instances that already terminate';
  hookRule('a group')(ended, 'API_DeleteAutoScalingGroup, ForceDelete', () => {
    const cloud = createCloud();
    createGroup(cloud);
    putHook(cloud, { HeartbeatTimeout: 7200 });
    const { operations } = cloud.autoScaling;
    const AutoScalingGroupName = 'workers';
    for (const { InstanceId } of groupOf(cloud).Instances ?? [])
      operations.TerminateInstanceInAutoScalingGroup({ InstanceId, ShouldDecrementDesiredCapacity: true });
    cloud.advance(60);
    expect(groupOf(cloud).Instances?.map(({ LifecycleState }) => LifecycleState)).toContain(
      'Terminating:Wait',
    );
    operations.DeleteAutoScalingGroup({ AutoScalingGroupName, ForceDelete: true });
    cloud.advance(30);
    expect(operations.DescribeAutoScalingGroups({}).AutoScalingGroups).toEqual([]);
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/resource-deletion-protection.html
  test('that is protected is not deleted', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 0, DeletionProtection: 'prevent-all-deletion' });
    expect(() =>
      cloud.autoScaling.operations.DeleteAutoScalingGroup({ AutoScalingGroupName: 'workers' }),
    ).toThrow(/deletion protection/);
  });

  test('that does not exist, like an instance in no group, is a ValidationError', () => {
    const cloud = createCloud();
    createGroup(cloud);
    expect(() =>
      cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'other', DesiredCapacity: 1 }),
    ).toThrow("AutoScalingGroup name not found - AutoScalingGroup 'other' not found");
    expect(() => terminate(cloud, 'i-0123456789abcdef0')).toThrow(/No managed instance found/);
    const found = cloud.autoScaling.operations.DescribeAutoScalingInstances({
      InstanceIds: ['i-0123456789abcdef0'],
    });
    expect(found.AutoScalingInstances).toEqual([]);
  });

  test('refuses to terminate an instance that is already terminating', () => {
    const cloud = createCloud();
    createGroup(cloud);
    putHook(cloud);
    const instanceId = firstInstanceId(cloud);
    terminate(cloud, instanceId);
    expect(() => terminate(cloud, instanceId)).toThrow(
      expect.objectContaining({ code: 'ScalingActivityInProgress' }),
    );
  });
});
