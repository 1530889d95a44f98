import type { LifecycleState } from '@aws-sdk/client-auto-scaling';
import type { Counts, Group, Member } from './model.ts';
import { countsTowardsDesired } from './passages.ts';
import { weightOf } from './weights.ts';
import { type AutoScalingWorld, reconcileSoon } from './world.ts';

export const emptyCounts = (): Counts => ({ active: 0, onDemand: 0, inService: 0, byZone: new Map() });

export const isActive = (member: Member): boolean =>
  member.leaving === undefined && countsTowardsDesired(member.state);

export function addMember(world: AutoScalingWorld, member: Member): void {
  member.group.members.set(member.instanceId, member);
  world.members.set(member.instanceId, member);
  count(member, 1);
}

export function removeMember(world: AutoScalingWorld, member: Member): void {
  count(member, -1);
  member.group.members.delete(member.instanceId);
  member.group.leaving.delete(member);
  world.members.delete(member.instanceId);
  reconcileSoon(world, member.group);
}

/** The group counts along, so that no decision has to walk through thousands of instances. */
export function enterState(world: AutoScalingWorld, member: Member, state: LifecycleState): void {
  count(member, -1);
  member.state = state;
  if (state === 'InService') member.inServiceSince = world.clock.now();
  count(member, 1);
  reconcileSoon(world, member.group);
}

/** From now on the member does not count: its replacement is launched, and then it goes. */
export function markLeaving(world: AutoScalingWorld, member: Member, cause: string): void {
  count(member, -1);
  member.leaving = cause;
  member.group.leaving.add(member);
  count(member, 1);
  reconcileSoon(world, member.group);
}

/** The member counts again, and stays. */
export function unmarkLeaving(world: AutoScalingWorld, member: Member): void {
  member.group.leaving.delete(member);
  count(member, -1);
  member.leaving = undefined;
  count(member, 1);
  reconcileSoon(world, member.group);
}

/** Counts all members again, after the weights of the group have changed. */
export function recount(group: Group): void {
  Object.assign(group.counts, { active: 0, onDemand: 0, inService: 0 });
  group.counts.byZone.clear();
  for (const member of group.members.values()) count(member, 1);
}

function count(member: Member, sign: 1 | -1): void {
  if (!isActive(member)) return;
  const { counts } = member.group;
  const by = sign * weightOf(member);
  counts.active += by;
  if (member.lifecycle === 'on-demand') counts.onDemand += by;
  if (member.state === 'InService') counts.inService += by;
  counts.byZone.set(member.availabilityZone, (counts.byZone.get(member.availabilityZone) ?? 0) + by);
}

/** Nothing is under way, nothing is missing, and EC2 has not refused a launch. */
export const isSettled = (group: Group): boolean =>
  group.deleting === 'no' &&
  group.counts.active === group.desired &&
  group.counts.inService === group.desired &&
  group.leaving.size === 0 &&
  group.launchFailures === 0;

/** Members in a state that the predicate accepts. */
export const membersWhere = (group: Group, accepts: (member: Member) => boolean): Member[] =>
  [...group.members.values()].filter(accepts);
