import { describe, expect, test } from 'vitest';
import {
  actionsOf,
  type Cloud,
  complete,
  createCloud,
  createGroup,
  firstInstanceId,
  groupOf,
  launching,
  putHook,
  stateOf,
  statesOf,
  terminate,
} from '../support/cloud.ts';

/** A group of one instance with a hook on termination; the instance waits on it. */
function waiting(hook: Parameters<typeof putHook>[1] = {}): { cloud: Cloud; instanceId: string } {
  const cloud = createCloud();
  createGroup(cloud);
  putHook(cloud, hook);
  const instanceId = firstInstanceId(cloud);
  terminate(cloud, instanceId);
  cloud.advance(1);
  return { cloud, instanceId };
}

const heartbeat = (cloud: Cloud, instanceId: string): unknown =>
  cloud.autoScaling.operations.RecordLifecycleActionHeartbeat({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: 'drain',
    InstanceId: instanceId,
  });

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html
describe('a terminating instance', () => {
  test('waits in Terminating:Wait, proceeds when its hook is continued, and leaves the group', () => {
    const { cloud, instanceId } = waiting();
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
    complete(cloud, { instanceId });
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
    cloud.advance(15);
    expect(stateOf(cloud, instanceId)).toBeUndefined();
    expect(cloud.ec2.instances.find(instanceId)?.state).toBe('terminated');
  });

  test('goes without a wait when the group has no hook for it', () => {
    const cloud = createCloud();
    createGroup(cloud);
    putHook(cloud, { LifecycleTransition: launching });
    const instanceId = firstInstanceId(cloud);
    terminate(cloud, instanceId);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  test.each(['CONTINUE', 'ABANDON'])('goes when its wait ends by itself with %s', (DefaultResult) => {
    const { cloud, instanceId } = waiting({ DefaultResult, HeartbeatTimeout: 30 });
    cloud.advance(28);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
    cloud.advance(2);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_RecordLifecycleActionHeartbeat.html
  test('waits a whole timeout from its last heartbeat', () => {
    const { cloud, instanceId } = waiting({ HeartbeatTimeout: 60 });
    cloud.advance(50);
    heartbeat(cloud, instanceId);
    cloud.advance(59);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
    cloud.advance(1);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_LifecycleHook.html, GlobalTimeout
  test('goes at the global timeout, whatever the heartbeats', () => {
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

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/completing-lifecycle-hooks.html
  test('with two hooks waits for both, which started together', () => {
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

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/completing-lifecycle-hooks.html: "ABANDON stops any remaining actions"
  test('that is abandoned by one hook does not wait for the others', () => {
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

  // https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DeleteLifecycleHook.html
  test('is continued when its hook is deleted', () => {
    const { cloud, instanceId } = waiting({ DefaultResult: 'ABANDON' });
    cloud.autoScaling.operations.DeleteLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drain',
    });
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks.html: hooks do not keep an instance that EC2 takes
  test('still waits on its hook when EC2 has taken it meanwhile', () => {
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
  const launch = (hook: Parameters<typeof putHook>[1] = {}): { cloud: Cloud; instanceId: string } => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 0 });
    putHook(cloud, { LifecycleTransition: launching, ...hook });
    cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 1 });
    cloud.advance(16);
    return { cloud, instanceId: firstInstanceId(cloud) };
  };

  test('is Pending until EC2 runs it, waits in Pending:Wait, and serves when it is continued', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 0 });
    putHook(cloud, { LifecycleTransition: launching });
    cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 1 });
    cloud.advance(15);
    expect(statesOf(cloud)).toEqual(['Pending']);
    cloud.advance(1);
    expect(statesOf(cloud)).toEqual(['Pending:Wait']);
    complete(cloud, { instanceId: firstInstanceId(cloud) });
    expect(statesOf(cloud)).toEqual(['Pending:Proceed']);
    cloud.advance(1);
    expect(statesOf(cloud)).toEqual(['InService']);
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/completing-lifecycle-hooks.html
  test('that is abandoned is terminated and replaced', () => {
    const { cloud, instanceId } = launch();
    complete(cloud, { instanceId, result: 'ABANDON' });
    cloud.advance(40);
    expect(stateOf(cloud, instanceId)).toBeUndefined();
    expect(statesOf(cloud)).toEqual(['Pending:Wait']);
    expect(cloud.events.some(({ detailType }) => detailType === 'EC2 Instance Launch Unsuccessful')).toBe(
      true,
    );
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DeleteLifecycleHook.html
  test('is abandoned when its hook is deleted', () => {
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

describe('completing', () => {
  // https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_CompleteLifecycleAction.html
  test('takes the token instead of the instance', () => {
    const { cloud, instanceId } = waiting();
    cloud.autoScaling.operations.CompleteLifecycleAction({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drain',
      LifecycleActionToken: String(actionsOf(cloud)[0]?.['LifecycleActionToken']),
      LifecycleActionResult: 'CONTINUE',
    });
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  test('what does not wait is a ValidationError that names the instance or the token', () => {
    const { cloud, instanceId } = waiting();
    complete(cloud, { instanceId });
    expect(() => complete(cloud, { instanceId })).toThrow(
      `No active Lifecycle Action found with instance ID ${instanceId}`,
    );
    const token = '00000000-0000-4000-8000-000000000000';
    const byToken = {
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drain',
      LifecycleActionToken: token,
      LifecycleActionResult: 'CONTINUE',
    };
    expect(() => cloud.autoScaling.operations.CompleteLifecycleAction(byToken)).toThrow(
      expect.objectContaining({
        code: 'ValidationError',
        message: `No active Lifecycle Action found with token ${token}`,
      }),
    );
  });

  test('another hook than the one that waits changes nothing', () => {
    const { cloud, instanceId } = waiting();
    expect(() => complete(cloud, { instanceId, hook: 'other' })).toThrow(/No active Lifecycle Action found/);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
  });
});

describe('putting a hook', () => {
  // https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_PutLifecycleHook.html
  test.each([29, 7201])('refuses a heartbeat timeout of %i seconds', (HeartbeatTimeout) => {
    const cloud = createCloud();
    createGroup(cloud);
    expect(() => putHook(cloud, { HeartbeatTimeout })).toThrow(/between 30 and 7200/);
  });

  test('shows its defaults and its global timeout', () => {
    const cloud = createCloud();
    createGroup(cloud);
    cloud.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drain',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    });
    const { LifecycleHooks: hooks } = cloud.autoScaling.operations.DescribeLifecycleHooks({
      AutoScalingGroupName: 'workers',
    });
    expect(hooks).toMatchObject([
      { HeartbeatTimeout: 3600, GlobalTimeout: 172_800, DefaultResult: 'ABANDON' },
    ]);
  });

  test('leaves a wait that has begun as it was', () => {
    const { cloud, instanceId } = waiting({ HeartbeatTimeout: 60 });
    putHook(cloud, { HeartbeatTimeout: 7200 });
    cloud.advance(60);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-quotas.html
  test('refuses the fifty-first', () => {
    const cloud = createCloud();
    createGroup(cloud);
    for (let hook = 0; hook < 50; hook++) putHook(cloud, { LifecycleHookName: `hook-${hook}` });
    expect(() => putHook(cloud, { LifecycleHookName: 'one-more' })).toThrow(
      expect.objectContaining({ code: 'LimitExceeded' }),
    );
  });
});

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/configure-instance-retention.html
describe('a group that retains abandoned instances', () => {
  const retaining = (hook: Parameters<typeof putHook>[1] = {}): { cloud: Cloud; instanceId: string } => {
    const cloud = createCloud();
    createGroup(cloud, {
      MaxSize: 1,
      InstanceLifecyclePolicy: { RetentionTriggers: { TerminateHookAbandon: 'retain' } },
    });
    putHook(cloud, { DefaultResult: 'ABANDON', ...hook });
    const instanceId = firstInstanceId(cloud);
    terminate(cloud, instanceId);
    return { cloud, instanceId };
  };

  test('keeps one outside the desired capacity, and replaces it', () => {
    const { cloud, instanceId } = retaining();
    complete(cloud, { instanceId, result: 'ABANDON' });
    cloud.advance(60);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Retained');
    expect(statesOf(cloud).sort()).toEqual(['InService', 'Terminating:Retained']);
    expect(groupOf(cloud).DesiredCapacity).toBe(1);
    expect(cloud.ec2.instances.find(instanceId)?.state).toBe('running');
  });

  test('keeps one whose wait ran out with ABANDON, and not one that was continued', () => {
    const { cloud, instanceId } = retaining({ HeartbeatTimeout: 30 });
    cloud.advance(30);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Retained');
    const continued = retaining();
    complete(continued.cloud, { instanceId: continued.instanceId });
    expect(stateOf(continued.cloud, continued.instanceId)).toBe('Terminating:Proceed');
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/manage-retained-instances.html
  test('lets go of it through its hooks when it is terminated, and never lowers the desired capacity for it', () => {
    const { cloud, instanceId } = retaining();
    complete(cloud, { instanceId, result: 'ABANDON' });
    cloud.advance(60);
    expect(() => terminate(cloud, instanceId, true)).toThrow(/retained/);
    terminate(cloud, instanceId);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
    complete(cloud, { instanceId });
    cloud.advance(20);
    expect(statesOf(cloud)).toEqual(['InService']);
  });
});

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html, steps 3 to 5
describe('a group behind a load balancer', () => {
  const arn = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/0123456789abcdef';

  test('registers an instance before it serves, and drains it before its hook begins', () => {
    const cloud = createCloud();
    createGroup(cloud, { TargetGroupARNs: [arn] });
    putHook(cloud);
    const instanceId = firstInstanceId(cloud);
    expect(cloud.targets.registered.has(instanceId)).toBe(true);
    terminate(cloud, instanceId);
    expect(cloud.targets.registered.has(instanceId)).toBe(false);
    cloud.advance(59);
    expect(stateOf(cloud, instanceId)).toBe('Terminating');
    expect(actionsOf(cloud)).toEqual([]);
    cloud.advance(1);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
  });
});
