import type { EnterStandbyQuery, ExitStandbyQuery } from '@aws-sdk/client-auto-scaling';
import { endActivity, startActivity, toActivity, utcSeconds } from './activities.ts';
import { autoScalingErrors } from './errors.ts';
import { changeableGroup } from './group-operations.ts';
import { drainTargets, registerTarget } from './load-balancing.ts';
import { enterState } from './members.ts';
import type { Activity, Group, Member } from './model.ts';
import { checkHealth } from './transitions.ts';
import { required } from './validation.ts';
import { type AutoScalingWorld, findMembers, isSuspended } from './world.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-enter-exit-standby.html: no hooks on this way. */
export const standbyOperations = (world: AutoScalingWorld) => ({
  EnterStandby: (input: EnterStandbyQuery) => {
    const group = changeableGroup(world, input.AutoScalingGroupName);
    const decrement = required(input.ShouldDecrementDesiredCapacity, 'shouldDecrementDesiredCapacity');
    const members = findMembers(world, group, input.InstanceIds);
    for (const member of members) requireState(member, 'InService');
    if (decrement) lowerDesired(group, members.length, 'place into standby');
    return { Activities: members.map((member) => toActivity(enterStandby(world, member))) };
  },
  ExitStandby: (input: ExitStandbyQuery) => {
    const group = changeableGroup(world, input.AutoScalingGroupName);
    if (isSuspended(group, 'Launch')) throw autoScalingErrors.launchSuspended();
    const members = findMembers(world, group, input.InstanceIds);
    for (const member of members) requireState(member, 'Standby');
    if (group.desired + members.length > group.maximum)
      throw tooSmall(group, members.length, 'return to service');
    group.desired += members.length;
    return { Activities: members.map((member) => toActivity(exitStandby(world, member))) };
  },
});

export function requireState(member: Member, ...states: readonly Member['state'][]): void {
  if (states.includes(member.state)) return;
  throw autoScalingErrors.validation(`The instance ${member.instanceId} is not in ${states.join(' or ')}.`);
}

export function lowerDesired(group: Group, by: number, purpose: string): void {
  if (group.desired - by < group.minimum) throw tooSmall(group, by, purpose);
  group.desired -= by;
}

const tooSmall = (group: Group, count: number, purpose: string): Error =>
  autoScalingErrors.validation(
    `AutoScalingGroup ${group.name} has min-size=${group.minimum}, max-size=${group.maximum}, and desired-size=${group.desired}. To ${purpose} ${count} instance${count === 1 ? '' : 's'}, please update the AutoScalingGroup sizes appropriately.`,
  );

function enterStandby(world: AutoScalingWorld, member: Member): Activity {
  const now = utcSeconds(world.clock.now());
  const activity = startActivity(world, member.group, {
    description: `Moving EC2 instance to Standby: ${member.instanceId}`,
    cause: `At ${now} instance ${member.instanceId} was moved to standby in response to a user request.`,
    place: member,
    progress: 50,
  });
  member.activity = activity;
  enterState(world, member, 'EnteringStandby');
  drainTargets(world, member, () => {
    world.clock.after(world.timings.stepSeconds * 1000, () => {
      if (member.state !== 'EnteringStandby') return;
      enterState(world, member, 'Standby');
      endActivity(world, activity, { statusCode: 'Successful' });
    });
  });
  return activity;
}

function exitStandby(world: AutoScalingWorld, member: Member): Activity {
  const now = utcSeconds(world.clock.now());
  const activity = startActivity(world, member.group, {
    description: `Moving EC2 instance out of Standby: ${member.instanceId}`,
    cause: `At ${now} instance ${member.instanceId} was moved out of standby in response to a user request.`,
    place: member,
    statusCode: 'PreInService',
    progress: 30,
  });
  member.activity = activity;
  enterState(world, member, 'Pending');
  joinLater(world, member, activity);
  return activity;
}

/** An instance that runs already comes into service without hooks. */
export function joinLater(world: AutoScalingWorld, member: Member, activity: Activity): void {
  world.clock.after(world.timings.stepSeconds * 1000, () => {
    if (member.state !== 'Pending') return;
    registerTarget(world, member);
    enterState(world, member, 'InService');
    endActivity(world, activity, { statusCode: 'Successful' });
    checkHealth(world, member);
  });
}
