import type { AttachInstancesQuery, DetachInstancesQuery } from '@aws-sdk/client-auto-scaling';
import type { SimulatedInstance } from '../ec2/model.ts';
import { endActivity, startActivity, toActivity, utcSeconds } from './activities.ts';
import { autoScalingErrors } from './errors.ts';
import { changeableGroup } from './group-operations.ts';
import { newMember } from './launching.ts';
import { drainTargets } from './load-balancing.ts';
import { addMember, enterState, removeMember } from './members.ts';
import type { Activity, Group, Member } from './model.ts';
import { passages } from './passages.ts';
import { joinLater, lowerDesired, requireState } from './standby.ts';
import { required } from './validation.ts';
import { type AutoScalingWorld, findMembers, isSuspended } from './world.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-detach-attach-instances.html: no hooks on this way. */
export const attachmentOperations = (world: AutoScalingWorld) => ({
  AttachInstances: (input: AttachInstancesQuery): Record<string, never> => {
    const group = changeableGroup(world, input.AutoScalingGroupName);
    if (isSuspended(group, 'Launch')) throw autoScalingErrors.launchSuspended();
    const instances = world.ec2.instances.require(input.InstanceIds ?? []);
    for (const instance of instances) checkAttachable(world, instance);
    raiseDesired(group, instances.length);
    for (const instance of instances) attach(world, group, instance);
    return {};
  },
  DetachInstances: (input: DetachInstancesQuery) => {
    const group = changeableGroup(world, input.AutoScalingGroupName);
    const decrement = required(input.ShouldDecrementDesiredCapacity, 'shouldDecrementDesiredCapacity');
    const members = findMembers(world, group, input.InstanceIds);
    for (const member of members) requireState(member, 'InService', 'Standby', 'Terminating:Retained');
    const counted = members.filter(({ state }) => state === 'InService').length;
    if (decrement) lowerDesired(group, counted, 'detach');
    return { Activities: members.map((member) => toActivity(detach(world, member))) };
  },
});

function checkAttachable(world: AutoScalingWorld, instance: SimulatedInstance): void {
  if (world.members.has(instance.instanceId)) {
    throw autoScalingErrors.validation(
      `Instance ${instance.instanceId} is already part of AutoScalingGroup.`,
    );
  }
  if (instance.state !== 'running') {
    throw autoScalingErrors.validation(
      `Instance ${instance.instanceId} is not in correct state. Instance(s) must be in 'running' state.`,
    );
  }
}

function raiseDesired(group: Group, by: number): void {
  if (group.desired + by > group.maximum) {
    throw autoScalingErrors.validation(
      `AutoScalingGroup ${group.name} has min-size=${group.minimum}, max-size=${group.maximum}, and desired-size=${group.desired}. To attach ${by} more instance(s), please update the AutoScalingGroup sizes appropriately.`,
    );
  }
  group.desired += by;
}

function attach(world: AutoScalingWorld, group: Group, instance: SimulatedInstance): void {
  const member = newMember(group, instance, { passage: passages.launch, protectedFromScaleIn: false });
  member.passage = undefined;
  instance.tags.set('aws:autoscaling:groupName', group.name);
  const activity = startActivity(world, group, {
    description: `Attaching an existing EC2 instance: ${instance.instanceId}`,
    cause: `At ${utcSeconds(world.clock.now())} an instance was attached in response to a user request.`,
    place: member,
    statusCode: 'PreInService',
    progress: 30,
  });
  member.activity = activity;
  addMember(world, member);
  joinLater(world, member, activity);
}

function detach(world: AutoScalingWorld, member: Member): Activity {
  const activity = startActivity(world, member.group, {
    description: `Detaching EC2 instance: ${member.instanceId}`,
    cause: `At ${utcSeconds(world.clock.now())} instance ${member.instanceId} was detached in response to a user request.`,
    place: member,
    progress: 50,
  });
  enterState(world, member, 'Detaching');
  drainTargets(world, member, () => {
    world.clock.after(world.timings.stepSeconds * 1000, () => leave(world, member, activity));
  });
  return activity;
}

function leave(world: AutoScalingWorld, member: Member, activity: Activity): void {
  if (member.state !== 'Detaching') return;
  removeMember(world, member);
  world.ec2.instances.find(member.instanceId)?.tags.delete('aws:autoscaling:groupName');
  endActivity(world, activity, { statusCode: 'Successful' });
}
