import type {
  SetInstanceHealthQuery,
  SetInstanceProtectionQuery,
  TerminateInstanceInAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import { toActivity, utcSeconds } from './activities.ts';
import { terminateMember } from './departures.ts';
import { autoScalingErrors } from './errors.ts';
import { isActive } from './members.ts';
import type { Activity, Member } from './model.ts';
import { countsTowardsDesired, isTerminating, isWarm } from './passages.ts';
import { replaceUnhealthy } from './transitions.ts';
import { checkOneOf, required } from './validation.ts';
import { unitsOf } from './weights.ts';
import { type AutoScalingWorld, findGroup, findMember, findMembers, reconcileSoon } from './world.ts';

/** API reference, TerminateInstanceInAutoScalingGroup, InstanceIds. */
const mostInstanceIds = 100;

export const instanceOperations = (world: AutoScalingWorld) => ({
  TerminateInstanceInAutoScalingGroup: (input: TerminateInstanceInAutoScalingGroupType) => {
    const decrement = required(input.ShouldDecrementDesiredCapacity, 'shouldDecrementDesiredCapacity');
    if (input.InstanceIds !== undefined) {
      const members = namedMembers(world, input);
      return { Activities: terminateByRequest(world, members, decrement).map(toActivity) };
    }
    const [activity] = terminateByRequest(world, [findMember(world, input.InstanceId)], decrement);
    return { Activity: activity && toActivity(activity) };
  },
  SetInstanceHealth: (input: SetInstanceHealthQuery): Record<string, never> => {
    const status = checkOneOf(
      required(input.HealthStatus, 'healthStatus'),
      ['Healthy', 'Unhealthy'],
      'healthStatus',
    );
    setHealth(world, findMember(world, input.InstanceId), {
      status,
      respectGrace: input.ShouldRespectGracePeriod ?? true,
    });
    return {};
  },
  SetInstanceProtection: (input: SetInstanceProtectionQuery): Record<string, never> => {
    const group = findGroup(world, input.AutoScalingGroupName);
    const protect = required(input.ProtectedFromScaleIn, 'protectedFromScaleIn');
    const members = findMembers(world, group, input.InstanceIds);
    members.forEach(checkProtectable);
    for (const member of members) member.protectedFromScaleIn = protect;
    reconcileSoon(world, group);
    return {};
  },
});

function checkProtectable(member: Member): void {
  if (member.state === 'InService' || isWarm(member.state)) return;
  throw autoScalingErrors.validation(
    `The instance ${member.instanceId} is not in InService or EnteringStandby or Standby.`,
  );
}

/** The members of a request with InstanceIds. Throws ValidationError without a group, for an InstanceId beside them, and for more than 100. */
function namedMembers(world: AutoScalingWorld, input: TerminateInstanceInAutoScalingGroupType): Member[] {
  const { InstanceId, InstanceIds: ids = [] } = input;
  const group = findGroup(world, input.AutoScalingGroupName);
  if (InstanceId !== undefined)
    throw autoScalingErrors.validation('InstanceId and InstanceIds must not be specified together.');
  if (ids.length > mostInstanceIds)
    throw autoScalingErrors.validation(`The number of instance ids must not exceed ${mostInstanceIds}`);
  return findMembers(world, group, [...new Set(ids)]);
}

/**
 * Terminates them at once, whatever the group's instance maintenance policy says: a request is not one of the events that the policy applies to.
 * Without a decrement the group is short of them from now on, so that replacements launch while they wait on their hooks.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_TerminateInstanceInAutoScalingGroup.html and, seen on CloudFormation's and ansible's
 * updates, awslabs/amazon-eks-ami#66 and ansible/ansible#37281.
 */
function terminateByRequest(
  world: AutoScalingWorld,
  members: readonly Member[],
  decrement: boolean,
): Activity[] {
  const going = members.find(({ state }) => isTerminating(state));
  if (going !== undefined) {
    throw autoScalingErrors.scalingActivityInProgress(
      `Activity ${going.activity?.activityId} is in progress.`,
    );
  }
  if (decrement) decrementFor(members);
  return members.map((member) => terminateOne(world, member));
}

function terminateOne(world: AutoScalingWorld, member: Member): Activity {
  const { active } = member.group.counts;
  const shrinking = isActive(member) ? `, shrinking the capacity from ${active} to ${active - 1}` : '';
  const now = utcSeconds(world.clock.now());
  const cause = `At ${now} instance ${member.instanceId} was taken out of service in response to a user request${shrinking}.`;
  const activity = terminateMember(world, member, { cause });
  if (activity === undefined) throw autoScalingErrors.instanceNotFound(member.instanceId);
  return activity;
}

/** A retained instance goes through its hooks again and never lowers the desired capacity: it does not count. */
function decrementFor(members: readonly Member[]): void {
  if (members.some(({ state }) => state.endsWith(':Retained'))) {
    throw autoScalingErrors.validation('The desired capacity cannot be decremented for a retained instance.');
  }
  const [group] = members.map((member) => member.group);
  if (group === undefined) return;
  const units = unitsOf(members.filter(({ state }) => countsTowardsDesired(state)));
  if (units > 0 && group.desired - units < group.minimum)
    throw autoScalingErrors.replacementNeeded(group.minimum);
  group.desired -= units;
}

/** https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_SetInstanceHealth.html */
function setHealth(
  world: AutoScalingWorld,
  member: Member,
  health: { readonly status: 'Healthy' | 'Unhealthy'; readonly respectGrace: boolean },
): void {
  const grace = (member.group.settings.HealthCheckGracePeriod ?? 0) * 1000;
  const inGrace = member.inServiceSince !== undefined && world.clock.now() - member.inServiceSince < grace;
  if (health.status === 'Unhealthy' && health.respectGrace && inGrace) return;
  member.health = health.status;
  if (health.status === 'Unhealthy' && isActive(member))
    replaceUnhealthy(world, member, 'a user health-check');
}
