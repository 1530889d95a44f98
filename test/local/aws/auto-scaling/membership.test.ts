import { describe, expect, test } from 'vitest';
import {
  actionsOf,
  createCloud,
  createGroup,
  firstInstanceId,
  groupOf,
  membersOf,
  putHook,
  stateOf,
  statesOf,
  terminate,
} from '../support/cloud.ts';

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-enter-exit-standby.html
describe('an instance in standby', () => {
  test('lowers the desired capacity, keeps running without hooks, and comes back', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 2 });
    putHook(cloud);
    const instanceId = firstInstanceId(cloud);
    const standby = { AutoScalingGroupName: 'workers', InstanceIds: [instanceId] };
    cloud.autoScaling.operations.EnterStandby({ ...standby, ShouldDecrementDesiredCapacity: true });
    expect(stateOf(cloud, instanceId)).toBe('EnteringStandby');
    cloud.advance(30);
    expect(stateOf(cloud, instanceId)).toBe('Standby');
    expect(groupOf(cloud).DesiredCapacity).toBe(1);
    cloud.autoScaling.operations.ExitStandby(standby);
    cloud.advance(5);
    expect(statesOf(cloud)).toEqual(['InService', 'InService']);
    expect(groupOf(cloud).DesiredCapacity).toBe(2);
    expect(actionsOf(cloud)).toEqual([]);
  });

  test('is replaced when the desired capacity stays, and refused below the minimum otherwise', () => {
    const cloud = createCloud();
    createGroup(cloud, { MinSize: 1, MaxSize: 2 });
    const standby = { AutoScalingGroupName: 'workers', InstanceIds: [firstInstanceId(cloud)] };
    expect(() =>
      cloud.autoScaling.operations.EnterStandby({ ...standby, ShouldDecrementDesiredCapacity: true }),
    ).toThrow(
      'AutoScalingGroup workers has min-size=1, max-size=2, and desired-size=1. To place into standby 1 instance',
    );
    cloud.autoScaling.operations.EnterStandby({ ...standby, ShouldDecrementDesiredCapacity: false });
    cloud.advance(30);
    expect(statesOf(cloud).sort()).toEqual(['InService', 'Standby']);
  });
});

test('an instance that stopped in standby, where nobody checks it, is replaced once it is back', () => {
  const cloud = createCloud();
  createGroup(cloud);
  const instanceId = firstInstanceId(cloud);
  const standby = { AutoScalingGroupName: 'workers', InstanceIds: [instanceId] };
  cloud.autoScaling.operations.EnterStandby({ ...standby, ShouldDecrementDesiredCapacity: true });
  cloud.ec2.operations.StopInstances({ InstanceIds: [instanceId] });
  cloud.advance(300);
  expect(stateOf(cloud, instanceId)).toBe('Standby');
  cloud.autoScaling.operations.ExitStandby(standby);
  cloud.advance(90);
  expect(stateOf(cloud, instanceId)).toBeUndefined();
  expect(statesOf(cloud)).toEqual(['InService']);
});

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-detach-attach-instances.html
describe('detaching and attaching', () => {
  test('takes a running instance out of the group and puts it back, without hooks', () => {
    const cloud = createCloud();
    createGroup(cloud);
    putHook(cloud);
    const instanceId = firstInstanceId(cloud);
    cloud.autoScaling.operations.DetachInstances({
      AutoScalingGroupName: 'workers',
      InstanceIds: [instanceId],
      ShouldDecrementDesiredCapacity: true,
    });
    cloud.advance(30);
    expect(membersOf(cloud)).toEqual([]);
    expect(cloud.ec2.instances.find(instanceId)?.state).toBe('running');
    cloud.autoScaling.operations.AttachInstances({
      AutoScalingGroupName: 'workers',
      InstanceIds: [instanceId],
    });
    cloud.advance(30);
    expect(membersOf(cloud)).toMatchObject([{ InstanceId: instanceId, LifecycleState: 'InService' }]);
    expect(groupOf(cloud).DesiredCapacity).toBe(1);
    expect(actionsOf(cloud)).toEqual([]);
  });
});

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html
test('while launching is suspended nothing is launched, attached or taken out of standby', () => {
  const cloud = createCloud();
  createGroup(cloud);
  const group = { AutoScalingGroupName: 'workers' };
  const standby = { ...group, InstanceIds: [firstInstanceId(cloud)] };
  cloud.autoScaling.operations.EnterStandby({ ...standby, ShouldDecrementDesiredCapacity: true });
  cloud.advance(90);
  cloud.autoScaling.operations.SuspendProcesses({ ...group, ScalingProcesses: ['Launch'] });
  expect(() => cloud.autoScaling.operations.ExitStandby(standby)).toThrow(/Launch is suspended/);
  cloud.autoScaling.operations.SetDesiredCapacity({ ...group, DesiredCapacity: 2 });
  cloud.advance(60);
  expect(statesOf(cloud)).toEqual(['Standby']);
  cloud.autoScaling.operations.ResumeProcesses(group);
  cloud.advance(60);
  expect(statesOf(cloud)).toEqual(['Standby', 'InService', 'InService']);
});

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-warm-pools.html
describe('a warm pool', () => {
  const pooled = (reuse = false) => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 1, MaxSize: 3 });
    cloud.autoScaling.operations.PutWarmPool({
      AutoScalingGroupName: 'workers',
      InstanceReusePolicy: { ReuseOnScaleIn: reuse },
    });
    cloud.advance(60);
    return cloud;
  };
  const poolOf = (cloud: ReturnType<typeof createCloud>): (string | undefined)[] =>
    cloud.autoScaling.operations
      .DescribeWarmPool({ AutoScalingGroupName: 'workers' })
      .Instances.map(({ LifecycleState }) => LifecycleState);

  test('holds stopped instances for what is between the desired and the maximum capacity', () => {
    const cloud = pooled();
    expect(poolOf(cloud)).toEqual(['Warmed:Stopped', 'Warmed:Stopped']);
    expect(statesOf(cloud)).toEqual(['InService']);
    expect(groupOf(cloud).WarmPoolSize).toBe(2);
  });

  test('gives its instances to a scale-out before a new one is launched', () => {
    const cloud = pooled();
    cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 3 });
    cloud.advance(60);
    expect(statesOf(cloud)).toEqual(['InService', 'InService', 'InService']);
    expect(poolOf(cloud)).toEqual([]);
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/warm-pool-instance-lifecycle.html
  test('that reuses instances takes them back through a terminating hook whose destination is the pool', () => {
    const cloud = pooled(true);
    putHook(cloud);
    cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 0 });
    cloud.advance(30);
    expect(poolOf(cloud)).toContain('Warmed:Pending:Wait');
    expect(actionsOf(cloud)).toMatchObject([{ Origin: 'AutoScalingGroup', Destination: 'WarmPool' }]);
    cloud.advance(60);
    expect(poolOf(cloud)).toEqual(['Warmed:Stopped', 'Warmed:Stopped', 'Warmed:Stopped']);
  });

  test('loses an instance that EC2 took, and launches another', () => {
    const cloud = pooled();
    const { Instances: before } = cloud.autoScaling.operations.DescribeWarmPool({
      AutoScalingGroupName: 'workers',
    });
    const lost = before[0]?.InstanceId ?? '';
    cloud.ec2.accidents.kill(lost);
    cloud.advance(60);
    expect(stateOf(cloud, lost)).toBeUndefined();
    expect(poolOf(cloud)).toEqual(['Warmed:Stopped', 'Warmed:Stopped']);
  });

  test('that is deleted lets its instances go', () => {
    const cloud = pooled();
    expect(() => cloud.autoScaling.operations.DeleteWarmPool({ AutoScalingGroupName: 'workers' })).toThrow(
      /warm pool/,
    );
    cloud.autoScaling.operations.DeleteWarmPool({ AutoScalingGroupName: 'workers', ForceDelete: true });
    cloud.advance(60);
    expect(groupOf(cloud).WarmPoolConfiguration).toBeUndefined();
    expect(statesOf(cloud)).toEqual(['InService']);
  });
});

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/asg-instance-refresh.html
describe('an instance refresh', () => {
  const refreshOf = (cloud: ReturnType<typeof createCloud>) =>
    cloud.autoScaling.operations.DescribeInstanceRefreshes({ AutoScalingGroupName: 'workers' })
      .InstanceRefreshes[0];

  test('replaces all instances, never more at once than the healthy percentage allows', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 4 });
    const old = membersOf(cloud).map(({ InstanceId }) => InstanceId);
    cloud.autoScaling.operations.StartInstanceRefresh({
      AutoScalingGroupName: 'workers',
      Preferences: { MinHealthyPercentage: 75 },
    });
    let fewest = 4;
    for (let second = 0; second < 300; second++) {
      cloud.advance(1);
      fewest = Math.min(fewest, statesOf(cloud).filter((state) => state === 'InService').length);
    }
    expect(fewest).toBe(3);
    expect(membersOf(cloud).some(({ InstanceId }) => old.includes(InstanceId))).toBe(false);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'Successful', PercentageComplete: 100 });
  });

  test('can be cancelled, and a second one beside it is refused', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 4 });
    const group = { AutoScalingGroupName: 'workers' };
    cloud.autoScaling.operations.StartInstanceRefresh(group);
    expect(() => cloud.autoScaling.operations.StartInstanceRefresh(group)).toThrow(/already in progress/);
    cloud.autoScaling.operations.CancelInstanceRefresh(group);
    cloud.advance(5);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'Cancelled' });
  });
});

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
  test('takes fifty tags and gives the propagated ones to instances that it launches afterwards', () => {
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

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks.html
  test('is deleted only when it is empty, or by force, without waiting for hooks', () => {
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

  test('refuses to terminate an instance that already goes', () => {
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
