import { describe, expect, test } from 'vitest';
import {
  actionsOf,
  complete,
  createCloud,
  createGroup,
  putHook,
  stateOf,
  waiting,
} from '../support/cloud.ts';
import { hookRule } from '../support/documented.ts';

describe('completing a lifecycle action', () => {
  hookRule('completing a lifecycle action')(
    'accepts the token instead of the instance',
    'API_CompleteLifecycleAction',
    () => {
      const { cloud, instanceId } = waiting();
      cloud.autoScaling.operations.CompleteLifecycleAction({
        AutoScalingGroupName: 'workers',
        LifecycleHookName: 'drain',
        LifecycleActionToken: String(actionsOf(cloud)[0]?.['LifecycleActionToken']),
        LifecycleActionResult: 'CONTINUE',
      });
      expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
    },
  );

  // AWS's own answers: spacelift-io/terraform-aws-spacelift-workerpool-on-ec2 pull request 197, convox/rack issue 2432.
  test('without a wait is a ValidationError that names the instance or the token', () => {
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

  test('of another hook than the waiting one changes nothing', () => {
    const { cloud, instanceId } = waiting();
    expect(() => complete(cloud, { instanceId, hook: 'other' })).toThrow(/No active Lifecycle Action found/);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
  });
});

describe('putting a hook', () => {
  const rule = hookRule('putting a hook');

  for (const HeartbeatTimeout of [29, 7201])
    rule(`refuses a heartbeat timeout of ${HeartbeatTimeout} seconds`, 'API_PutLifecycleHook', () => {
      const cloud = createCloud();
      createGroup(cloud);
      expect(() => putHook(cloud, { HeartbeatTimeout })).toThrow(/between 30 and 7200/);
    });

  rule('shows its defaults and its global timeout', 'API_LifecycleHook', () => {
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

  // Our reading: the documentation does not say it.
  test('does not change a wait that has begun', () => {
    const { cloud, instanceId } = waiting({ HeartbeatTimeout: 60 });
    putHook(cloud, { HeartbeatTimeout: 7200 });
    cloud.advance(60);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
  });

  rule('refuses the fifty-first hook', 'ec2-auto-scaling-quotas', () => {
    const cloud = createCloud();
    createGroup(cloud);
    for (let hook = 0; hook < 50; hook++) putHook(cloud, { LifecycleHookName: `hook-${hook}` });
    expect(() => putHook(cloud, { LifecycleHookName: 'one-more' })).toThrow(
      expect.objectContaining({ code: 'LimitExceeded' }),
    );
  });
});
