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

  test('is replaced if the desired capacity stays, and is otherwise refused below the minimum', () => {
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

test('an instance that stopped in standby, where health is not checked, is replaced after its return', () => {
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
  test('moves a running instance out of the group and back without hooks', () => {
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
test('a group launches, attaches and takes out of standby nothing while Launch is suspended', () => {
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
