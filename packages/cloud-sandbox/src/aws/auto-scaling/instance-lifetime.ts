import { utcSeconds } from './activities.ts';
import { mayTerminate, terminateMember } from './departures.ts';
import { autoScalingErrors } from './errors.ts';
import { healthyPercentages } from './maintenance-policy.ts';
import { isSettled, markLeaving, membersWhere } from './members.ts';
import type { Group, GroupSettings, Member } from './model.ts';
import { type AutoScalingWorld, isSuspended, reconcileSoon } from './world.ts';

const day = 86_400;

/** Throws ValidationError unless it is 0, which is none, or at least a day (API reference, AutoScalingGroup). */
export function checkInstanceLifetime({ MaxInstanceLifetime: seconds = 0 }: GroupSettings): void {
  if (seconds === 0 || (Number.isInteger(seconds) && seconds >= day)) return;
  throw autoScalingErrors.validation(
    `MaxInstanceLifetime must be 0 or at least ${day} seconds, but was ${seconds}.`,
  );
}

/**
 * Replaces instances that have been in service for longer than MaxInstanceLifetime: "usually one at a time, with a pause", of several that are due at
 * once up to 10 percent of the capacity, never one that is protected from scale in. The pause is not documented: here, until the group has what it
 * desires in service. An instance maintenance policy lets the replacements be launched first.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/asg-max-instance-lifetime.html
 */
export function replaceExpired(world: AutoScalingWorld, group: Group): void {
  group.lifetimeTimer?.cancel();
  group.lifetimeTimer = undefined;
  const { MaxInstanceLifetime: seconds = 0 } = group.settings;
  if (seconds === 0 || group.deleting !== 'no') return;
  const now = world.clock.now();
  const expiresAt = ({ inServiceSince = now }: Member): number => inServiceSince + seconds * 1000;
  const serving = membersWhere(group, ({ state, leaving }) => state === 'InService' && leaving === undefined);
  const expired = serving.filter((member) => expiresAt(member) <= now && isReplaceable(member));
  const next = Math.min(...serving.map(expiresAt).filter((at) => at > now));
  if (Number.isFinite(next))
    group.lifetimeTimer = world.clock.after(next - now, () => reconcileSoon(world, group));
  if (expired.length === 0 || !isSettled(group) || isSuspended(group, 'Launch')) return;
  const batch = Math.max(1, Math.floor(group.desired / 10));
  for (const member of expired.slice(0, batch)) replace(world, member);
}

const isReplaceable = (member: Member): boolean => mayTerminate(member) && !member.protectedFromScaleIn;

function replace(world: AutoScalingWorld, member: Member): void {
  const cause = `At ${utcSeconds(world.clock.now())} an instance was taken out of service in response to its maximum instance lifetime.`;
  if (healthyPercentages(world, member.group) !== undefined) markLeaving(world, member, cause);
  else terminateMember(world, member, { cause });
}
