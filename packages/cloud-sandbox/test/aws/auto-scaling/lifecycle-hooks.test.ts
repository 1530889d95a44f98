import { describe, expect, test } from 'vitest';
import {
  actionsOf,
  type Cloud,
  complete,
  createCloud,
  createGroup,
  firstInstanceId,
  launching,
  putHook,
  stateOf,
  statesOf,
  terminate,
  waiting,
} from '../support/cloud.ts';
import { hookRule } from '../support/documented.ts';

const heartbeat = (cloud: Cloud, instanceId: string): unknown =>
  cloud.autoScaling.operations.RecordLifecycleActionHeartbeat({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: 'drain',
    InstanceId: instanceId,
  });

describe('a terminating instance', () => {
  const rule = hookRule('a terminating instance');

  rule(
    'waits in Terminating:Wait, proceeds when its hook is continued, and leaves the group',
    'lifecycle-hooks-overview',
    () => {
      const { cloud, instanceId } = waiting();
      expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
      complete(cloud, { instanceId });
      expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
      cloud.advance(15);
      expect(stateOf(cloud, instanceId)).toBeUndefined();
      expect(cloud.ec2.instances.find(instanceId)?.state).toBe('terminated');
    },
  );

  rule('proceeds without a wait if the group has no hook for it', 'lifecycle-hooks-overview', () => {
    const cloud = createCloud();
    createGroup(cloud);
    putHook(cloud, { LifecycleTransition: launching });
    const instanceId = firstInstanceId(cloud);
    terminate(cloud, instanceId);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  for (const DefaultResult of ['CONTINUE', 'ABANDON'])
    rule(`proceeds if its wait times out with ${DefaultResult}`, 'API_LifecycleHook, DefaultResult', () => {
      const { cloud, instanceId } = waiting({ DefaultResult, HeartbeatTimeout: 30 });
      cloud.advance(28);
      expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
      cloud.advance(2);
      expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
    });

  rule('waits for a whole timeout after its last heartbeat', 'API_RecordLifecycleActionHeartbeat', () => {
    const { cloud, instanceId } = waiting({ HeartbeatTimeout: 60 });
    cloud.advance(50);
    heartbeat(cloud, instanceId);
    cloud.advance(59);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
    cloud.advance(1);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  rule('proceeds at the global timeout, whatever the heartbeats', 'API_LifecycleHook, GlobalTimeout', () => {
    const { cloud, instanceId } = waiting({ HeartbeatTimeout: 30 });
    for (let beat = 0; beat < 149; beat++) {
      cloud.advance(20);
      heartbeat(cloud, instanceId);
    }
    cloud.advance(18);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
    cloud.advance(2);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  rule('with two hooks waits for both, which start at the same time', 'completing-lifecycle-hooks', () => {
    const cloud = createCloud();
    createGroup(cloud);
    putHook(cloud);
    putHook(cloud, { LifecycleHookName: 'etcd' });
    const instanceId = firstInstanceId(cloud);
    terminate(cloud, instanceId);
    expect(actionsOf(cloud).map(({ LifecycleHookName }) => LifecycleHookName)).toEqual(['drain', 'etcd']);
    complete(cloud, { instanceId });
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
    complete(cloud, { instanceId, hook: 'etcd' });
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  // "ABANDON stops any remaining actions".
  rule('that is abandoned by one hook does not wait for the others', 'completing-lifecycle-hooks', () => {
    const cloud = createCloud();
    createGroup(cloud);
    putHook(cloud);
    putHook(cloud, { LifecycleHookName: 'etcd' });
    const instanceId = firstInstanceId(cloud);
    terminate(cloud, instanceId);
    complete(cloud, { instanceId, result: 'ABANDON' });
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
    expect(() => complete(cloud, { instanceId, hook: 'etcd' })).toThrow(/No active Lifecycle Action found/);
  });

  rule('is continued when its hook is deleted', 'API_DeleteLifecycleHook', () => {
    const { cloud, instanceId } = waiting({ DefaultResult: 'ABANDON' });
    cloud.autoScaling.operations.DeleteLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drain',
    });
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  // The user guide says only that a hook does not keep an instance that EC2 takes; that the group goes on waiting is our reading.
  test('still waits on its hook if EC2 has terminated it meanwhile', () => {
    const { cloud, instanceId } = waiting();
    cloud.ec2.accidents.kill(instanceId);
    cloud.advance(20);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
    complete(cloud, { instanceId });
    cloud.advance(1);
    expect(stateOf(cloud, instanceId)).toBeUndefined();
  });
});

describe('a launching instance', () => {
  const rule = hookRule('a launching instance');
  const launch = (hook: Parameters<typeof putHook>[1] = {}): { cloud: Cloud; instanceId: string } => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 0 });
    putHook(cloud, { LifecycleTransition: launching, ...hook });
    cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 1 });
    cloud.advance(16);
    return { cloud, instanceId: firstInstanceId(cloud) };
  };

  rule(
    'is Pending until EC2 runs it, waits in Pending:Wait, and is in service after CONTINUE',
    'lifecycle-hooks-overview',
    () => {
      const cloud = createCloud();
      createGroup(cloud, { DesiredCapacity: 0 });
      putHook(cloud, { LifecycleTransition: launching });
      cloud.autoScaling.operations.SetDesiredCapacity({
        AutoScalingGroupName: 'workers',
        DesiredCapacity: 1,
      });
      cloud.advance(15);
      expect(statesOf(cloud)).toEqual(['Pending']);
      cloud.advance(1);
      expect(statesOf(cloud)).toEqual(['Pending:Wait']);
      complete(cloud, { instanceId: firstInstanceId(cloud) });
      expect(statesOf(cloud)).toEqual(['Pending:Proceed']);
      cloud.advance(1);
      expect(statesOf(cloud)).toEqual(['InService']);
    },
  );

  rule('that is abandoned is terminated and replaced', 'completing-lifecycle-hooks', () => {
    const { cloud, instanceId } = launch();
    complete(cloud, { instanceId, result: 'ABANDON' });
    cloud.advance(40);
    expect(stateOf(cloud, instanceId)).toBeUndefined();
    expect(statesOf(cloud)).toEqual(['Pending:Wait']);
    expect(cloud.events.some(({ detailType }) => detailType === 'EC2 Instance Launch Unsuccessful')).toBe(
      true,
    );
  });

  rule('is abandoned when its hook is deleted', 'API_DeleteLifecycleHook', () => {
    const { cloud, instanceId } = launch();
    cloud.autoScaling.operations.DeleteLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drain',
    });
    cloud.advance(40);
    expect(stateOf(cloud, instanceId)).toBeUndefined();
    expect(statesOf(cloud)).toEqual(['InService']);
  });
});

describe('a hook whose heartbeat timeout is changed while an instance waits', () => {
  /** Seconds from the heartbeat after the change to the end of the wait. */
  const wait = (hookChangesReachWaits: boolean, HeartbeatTimeout: number): number => {
    const { cloud, instanceId } = waiting({ HeartbeatTimeout: 60 }, createCloud({ hookChangesReachWaits }));
    putHook(cloud, { HeartbeatTimeout });
    heartbeat(cloud, instanceId);
    let seconds = 0;
    while (stateOf(cloud, instanceId) === 'Terminating:Wait') {
      cloud.advance(1);
      seconds += 1;
    }
    return seconds;
  };

  test('keeps the timeout of the wait unless changes reach waits', () => {
    expect([wait(false, 300), wait(false, 30)]).toEqual([60, 60]);
  });

  test('extends or shortens the wait with the next heartbeat where changes reach waits', () => {
    expect([wait(true, 300), wait(true, 30)]).toEqual([300, 30]);
  });
});
