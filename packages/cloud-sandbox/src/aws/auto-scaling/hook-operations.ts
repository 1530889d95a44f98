import type {
  CompleteLifecycleActionType,
  DeleteLifecycleHookType,
  DescribeLifecycleHooksType,
  LifecycleHook,
  LifecycleHookSpecification,
  PutLifecycleHookType,
  RecordLifecycleActionHeartbeatType,
} from '@aws-sdk/client-auto-scaling';
import { AwsError } from '../service.ts';
import { autoScalingErrors } from './errors.ts';
import { findAction, finish, heartbeat } from './lifecycle-actions.ts';
import { hookSender, testNotification } from './messages.ts';
import type { Group, Hook } from './model.ts';
import { globalTimeoutSeconds } from './timeouts.ts';
import { checkHeartbeatTimeout, checkHookName, checkOneOf, required } from './validation.ts';
import { type AutoScalingWorld, findGroup } from './world.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-quotas.html */
const maximumHooks = 50;
const transitions = ['autoscaling:EC2_INSTANCE_LAUNCHING', 'autoscaling:EC2_INSTANCE_TERMINATING'] as const;
const results = ['CONTINUE', 'ABANDON'] as const;

export const hookOperations = (world: AutoScalingWorld) => ({
  PutLifecycleHook: (input: PutLifecycleHookType): Record<string, never> => {
    putHook(world, findGroup(world, input.AutoScalingGroupName), input);
    return {};
  },
  DeleteLifecycleHook: (input: DeleteLifecycleHookType): Record<string, never> => {
    deleteHook(
      world,
      findGroup(world, input.AutoScalingGroupName),
      required(input.LifecycleHookName, 'lifecycleHookName'),
    );
    return {};
  },
  DescribeLifecycleHooks: (input: DescribeLifecycleHooksType) => {
    const group = findGroup(world, input.AutoScalingGroupName);
    const { LifecycleHookNames: names } = input;
    const asked = [...group.hooks.values()].filter(
      ({ name }) => names === undefined || names.length === 0 || names.includes(name),
    );
    return { LifecycleHooks: asked.map((hook) => toHook(group, hook)) };
  },
  RecordLifecycleActionHeartbeat: (input: RecordLifecycleActionHeartbeatType): Record<string, never> => {
    heartbeat(world, findAction(world, findGroup(world, input.AutoScalingGroupName), input));
    return {};
  },
  CompleteLifecycleAction: (input: CompleteLifecycleActionType): Record<string, never> => {
    const group = findGroup(world, input.AutoScalingGroupName);
    const given = required(input.LifecycleActionResult, 'lifecycleActionResult');
    const result = checkOneOf(given, results, 'lifecycleActionResult');
    finish(world, findAction(world, group, input), result);
    return {};
  },
});

/** Creates a hook, or changes the given members of one that is there. Waits that have begun keep theirs. */
export function putHook(
  world: AutoScalingWorld,
  group: Group,
  input: PutLifecycleHookType | LifecycleHookSpecification,
): void {
  const name = required(input.LifecycleHookName, 'lifecycleHookName');
  checkHookName(name);
  const before = group.hooks.get(name);
  if (before === undefined && group.hooks.size >= maximumHooks) {
    throw autoScalingErrors.limitExceeded(`Lifecycle hooks limit of ${maximumHooks} exceeded`);
  }
  const hook = hookFrom(name, input, before);
  if (hook.notificationTargetArn !== undefined) testTarget(world, group, hook);
  group.hooks.set(name, hook);
}

function hookFrom(
  name: string,
  input: PutLifecycleHookType | LifecycleHookSpecification,
  before: Hook | undefined,
): Hook {
  const transition = required(input.LifecycleTransition ?? before?.transition, 'lifecycleTransition');
  const heartbeatTimeoutSeconds = input.HeartbeatTimeout ?? before?.heartbeatTimeoutSeconds ?? 3600;
  checkHeartbeatTimeout(heartbeatTimeoutSeconds);
  return {
    name,
    transition: checkOneOf(transition, transitions, 'lifecycleTransition'),
    heartbeatTimeoutSeconds,
    defaultResult: checkOneOf(
      input.DefaultResult ?? before?.defaultResult ?? 'ABANDON',
      results,
      'defaultResult',
    ),
    // An empty target overrides the one that was set (API_PutLifecycleHook).
    notificationTargetArn: (input.NotificationTargetARN ?? before?.notificationTargetArn) || undefined,
    roleArn: input.RoleARN ?? before?.roleArn,
    notificationMetadata: input.NotificationMetadata ?? before?.notificationMetadata,
  };
}

/** A hook whose target does not take the test message is not put. */
function testTarget(world: AutoScalingWorld, group: Group, hook: Hook): void {
  const { notificationTargetArn: targetArn = '', roleArn } = hook;
  const sender = { accountId: world.accountId, requestId: world.random.uuid(), now: world.clock.now() };
  try {
    world.deliver(targetArn, testNotification(group, sender), { sender: hookSender(group, roleArn) });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw autoScalingErrors.validation(
      `Unable to publish test message to notification target ${targetArn}. Please check your target and role configuration and try to put lifecycle hook again.`,
    );
  }
}

/**
 * "If there are any outstanding lifecycle actions, they are completed first (ABANDON for launching instances, CONTINUE
 * for terminating instances)": https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DeleteLifecycleHook.html
 */
function deleteHook(world: AutoScalingWorld, group: Group, name: string): void {
  const hook = group.hooks.get(name);
  if (hook === undefined) throw autoScalingErrors.validation(`No Lifecycle Hook found with name: ${name}`);
  const result = hook.transition === 'autoscaling:EC2_INSTANCE_LAUNCHING' ? 'ABANDON' : 'CONTINUE';
  for (const member of group.members.values()) {
    const action = member.wait?.actions.get(name);
    if (action !== undefined) finish(world, action, result);
  }
  group.hooks.delete(name);
}

function toHook(group: Group, hook: Hook): LifecycleHook {
  return {
    LifecycleHookName: hook.name,
    AutoScalingGroupName: group.name,
    LifecycleTransition: hook.transition,
    NotificationTargetARN: hook.notificationTargetArn,
    RoleARN: hook.roleArn,
    NotificationMetadata: hook.notificationMetadata,
    HeartbeatTimeout: hook.heartbeatTimeoutSeconds,
    GlobalTimeout: globalTimeoutSeconds(hook.heartbeatTimeoutSeconds),
    DefaultResult: hook.defaultResult,
  };
}
