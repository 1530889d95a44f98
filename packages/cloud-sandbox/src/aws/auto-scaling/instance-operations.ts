import type {
  SetInstanceHealthQuery,
  SetInstanceProtectionQuery,
  TerminateInstanceInAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import { toActivity, utcSeconds } from './activities.ts';
import { terminateMember } from './departures.ts';
import { autoScalingErrors } from './errors.ts';
import { isActive } from './members.ts';
import type { Activity, Group, Member } from './model.ts';
import { isTerminating, isWarm } from './passages.ts';
import { replaceUnhealthy } from './transitions.ts';
import { checkOneOf, required } from './validation.ts';
import { weightOf } from './weights.ts';
import { type AutoScalingWorld, findGroup, findMember, findMembers } from './world.ts';

export const instanceOperations = (world: AutoScalingWorld) => ({
  TerminateInstanceInAutoScalingGroup: (input: TerminateInstanceInAutoScalingGroupType) => {
    const decrement = required(input.ShouldDecrementDesiredCapacity, 'shouldDecrementDesiredCapacity');
    return {
      Activity: toActivity(terminateByRequest(world, findMember(world, input.InstanceId), decrement)),
    };
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
    return {};
  },
});

function checkProtectable(member: Member): void {
  if (member.state === 'InService' || isWarm(member.state)) return;
  throw autoScalingErrors.validation(
    `The instance ${member.instanceId} is not in InService or EnteringStandby or Standby.`,
  );
}

/** A retained instance goes through its hooks again and never lowers the desired capacity: it does not count. */
function terminateByRequest(world: AutoScalingWorld, member: Member, decrement: boolean): Activity {
  const { group } = member;
  if (isTerminating(member.state)) {
    throw autoScalingErrors.scalingActivityInProgress(
      `Activity ${member.activity?.activityId} is in progress.`,
    );
  }
  if (decrement) decrementFor(group, member);
  const { active } = group.counts;
  const shrinking = isActive(member) ? `, shrinking the capacity from ${active} to ${active - 1}` : '';
  const now = utcSeconds(world.clock.now());
  const cause = `At ${now} instance ${member.instanceId} was taken out of service in response to a user request${shrinking}.`;
  const activity = terminateMember(world, member, { cause });
  if (activity === undefined) throw autoScalingErrors.instanceNotFound(member.instanceId);
  return activity;
}

function decrementFor(group: Group, member: Member): void {
  if (member.state.endsWith(':Retained')) {
    throw autoScalingErrors.validation('The desired capacity cannot be decremented for a retained instance.');
  }
  if (!isActive(member)) return;
  const weight = weightOf(member);
  if (group.desired - weight < group.minimum) throw autoScalingErrors.replacementNeeded(group.minimum);
  group.desired -= weight;
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
