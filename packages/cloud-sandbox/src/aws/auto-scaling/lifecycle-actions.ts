import { AwsError } from '../service.ts';
import { autoScalingErrors } from './errors.ts';
import { enterState } from './members.ts';
import { hookNotification, hookSender, lifecycleEvent } from './messages.ts';
import type { Group, Hook, LifecycleAction, LifecycleResult, Member, Wait } from './model.ts';
import type { Passage } from './passages.ts';
import { expiryAfterHeartbeat, globalTimeoutSeconds } from './timeouts.ts';
import type { AutoScalingWorld } from './world.ts';

/**
 * Puts the member into the wait state of its passage, all hooks of the transition at once; without hooks it is settled
 * at once. `settled` is called once: with CONTINUE when every action was continued, with ABANDON at the first that was
 * not, which ends the others too.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html
 */
export function waitForHooks(
  world: AutoScalingWorld,
  member: Member,
  wait: { readonly passage: Passage; readonly settled: (result: LifecycleResult) => void },
): void {
  const hooks = [...member.group.hooks.values()].filter(
    (hook) => hook.transition === wait.passage.transition,
  );
  if (hooks.length === 0) {
    wait.settled('CONTINUE');
    return;
  }
  const actions = hooks.map((hook) => createAction(world, member, hook));
  member.wait = { ...wait, actions: new Map(actions.map((action) => [action.hook.name, action])) };
  enterState(world, member, wait.passage.wait);
  for (const action of actions) armTimer(world, action);
  for (const action of actions) if (isWaiting(action)) announce(world, action, wait.passage);
}

const isWaiting = (action: LifecycleAction): boolean =>
  action.member.wait?.actions.get(action.hook.name) === action;

function createAction(world: AutoScalingWorld, member: Member, hook: Hook): LifecycleAction {
  const now = world.clock.now();
  const globalDeadline = now + globalTimeoutSeconds(hook.heartbeatTimeoutSeconds) * 1000;
  const action: LifecycleAction = {
    token: world.random.uuid(),
    hook,
    member,
    globalDeadline,
    expiresAt: expiryAfterHeartbeat({
      now,
      heartbeatTimeoutSeconds: hook.heartbeatTimeoutSeconds,
      globalDeadline,
    }),
    timer: undefined,
  };
  world.actions.set(action.token, action);
  return action;
}

function armTimer(world: AutoScalingWorld, action: LifecycleAction): void {
  action.timer?.cancel();
  action.timer = world.clock.after(action.expiresAt - world.clock.now(), () =>
    finish(world, action, action.hook.defaultResult),
  );
}

/** A target that refuses the notification ends the wait with the default result, because nothing would complete it. */
function announce(world: AutoScalingWorld, action: LifecycleAction, passage: Passage): void {
  world.putAwsEvent(lifecycleEvent(action, passage));
  const { notificationTargetArn, roleArn } = action.hook;
  if (notificationTargetArn === undefined) return;
  const sender = { accountId: world.accountId, requestId: world.random.uuid(), now: world.clock.now() };
  try {
    world.deliver(notificationTargetArn, hookNotification(action, passage, sender), {
      sender: hookSender(action.member.group, roleArn),
    });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    finish(world, action, action.hook.defaultResult);
  }
}

/** Ends one action. Nothing happens if it has ended already. */
export function finish(world: AutoScalingWorld, action: LifecycleAction, result: LifecycleResult): void {
  const { member } = action;
  const wait = member.wait;
  if (wait === undefined || !isWaiting(action)) return;
  forget(world, wait, action);
  if (result === 'CONTINUE' && wait.actions.size > 0) return;
  abandonWait(world, member);
  wait.settled(result);
}

/** Forgets what the member waits for, without a result. */
export function abandonWait(world: AutoScalingWorld, member: Member): void {
  const wait = member.wait;
  if (wait === undefined) return;
  for (const action of wait.actions.values()) forget(world, wait, action);
  member.wait = undefined;
}

function forget(world: AutoScalingWorld, wait: Wait, action: LifecycleAction): void {
  action.timer?.cancel();
  world.actions.delete(action.token);
  wait.actions.delete(action.hook.name);
}

/** Restarts the timeout, never past the global one. */
export function heartbeat(world: AutoScalingWorld, action: LifecycleAction): void {
  const { hook, member } = action;
  const changed = world.hookChangesReachWaits ? member.group.hooks.get(hook.name) : undefined;
  action.expiresAt = expiryAfterHeartbeat({
    now: world.clock.now(),
    heartbeatTimeoutSeconds: (changed ?? hook).heartbeatTimeoutSeconds,
    globalDeadline: action.globalDeadline,
  });
  armTimer(world, action);
}

export interface ActionReference {
  readonly LifecycleHookName: string | undefined;
  readonly LifecycleActionToken?: string | undefined;
  readonly InstanceId?: string | undefined;
}

/** By token, or by instance id without one. Throws ValidationError when nothing waits. */
export function findAction(
  world: AutoScalingWorld,
  group: Group,
  reference: ActionReference,
): LifecycleAction {
  const { LifecycleHookName: hookName, LifecycleActionToken: token, InstanceId: instanceId } = reference;
  if (hookName === undefined) throw autoScalingErrors.missing('lifecycleHookName');
  if (token === undefined && instanceId === undefined) {
    throw autoScalingErrors.validation('Either InstanceId or LifecycleActionToken must be specified');
  }
  const action = token === undefined ? actionOf(world, instanceId, hookName) : world.actions.get(token);
  if (action === undefined || action.member.group !== group || action.hook.name !== hookName) {
    throw autoScalingErrors.noActiveAction({ token, instanceId });
  }
  return action;
}

const actionOf = (
  world: AutoScalingWorld,
  instanceId: string | undefined,
  hookName: string,
): LifecycleAction | undefined => world.members.get(instanceId ?? '')?.wait?.actions.get(hookName);
