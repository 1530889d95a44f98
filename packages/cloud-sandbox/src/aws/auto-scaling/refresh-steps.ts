import { utcSeconds } from './activities.ts';
import { withConfiguration } from './configuration.ts';
import { mayTerminate, terminateMember } from './departures.ts';
import {
  activeRefresh,
  replacementRange,
  staysWithin,
  waitingToLeave,
  warmCount,
} from './maintenance-policy.ts';
import { markLeaving, membersWhere, recount, unmarkLeaving } from './members.ts';
import type { Group, InstanceRefreshRecord, Member } from './model.ts';
import { isTerminating, isWarm } from './passages.ts';
import { replaceRootVolume } from './root-volume.ts';
import { weightOf } from './weights.ts';
import { type AutoScalingWorld, isSuspended, reconcileSoon } from './world.ts';

/** "Amazon EC2 Auto Scaling keeps retrying for an hour" (user guide, "How an instance refresh works", Limitations). */
const longestBlockSeconds = 3600;

/** One step of a refresh: replaces as many as the healthy percentages allow, at least one at a time. */
export function continueRefresh(world: AutoScalingWorld, group: Group): void {
  const refresh = activeRefresh(group);
  if (refresh === undefined) return;
  for (const id of refresh.remaining) if (!group.members.has(id)) refresh.remaining.delete(id);
  if (refresh.status === 'Cancelling') finishCancellation(world, group, refresh);
  else if (isSuspended(group, 'InstanceRefresh')) return;
  else if (refresh.remaining.size === 0 && isComplete(group)) bake(world, group, refresh);
  else if (isBlockedTooLong(world, group, refresh)) fail(world, group, refresh);
  else replaceNext(world, group, refresh);
}

const isComplete = (group: Group): boolean => group.counts.inService >= group.desired;

type Outcome = 'Cancelled' | 'Failed' | 'Successful';

function end(world: AutoScalingWorld, refresh: InstanceRefreshRecord, status: Outcome): void {
  refresh.status = status;
  refresh.endedAt = world.clock.now();
}

/** "By default, ... waits for any in-flight launches and terminations to complete before setting the status to Cancelled" (user guide, "Cancel an instance refresh"). */
function finishCancellation(world: AutoScalingWorld, group: Group, refresh: InstanceRefreshRecord): void {
  if (!refresh.waitsForTransitions || !isTransitioning(group)) end(world, refresh, 'Cancelled');
}

const isTransitioning = (group: Group): boolean =>
  group.leaving.size > 0 ||
  membersWhere(
    group,
    ({ state }) =>
      state.startsWith('Pending') || state.includes('RootVolume') || (isTerminating(state) && !isWarm(state)),
  ).length > 0;

/** Successful after the bake time; only then the group has the desired configuration. */
function bake(world: AutoScalingWorld, group: Group, refresh: InstanceRefreshRecord): void {
  const now = world.clock.now();
  refresh.bakesSince ??= now;
  const until = refresh.bakesSince + refresh.bakeSeconds * 1000;
  if (now < until) {
    refresh.status = 'Baking';
    world.clock.after(until - now, () => reconcileSoon(world, group));
    return;
  }
  if (refresh.desiredConfiguration !== undefined) {
    group.settings = withConfiguration(group.settings, refresh.desiredConfiguration);
    recount(group);
  }
  end(world, refresh, 'Successful');
}

/** What it waits for is in Standby or protected from scale in, or EC2 refuses its launches. */
function isBlocked(group: Group, refresh: InstanceRefreshRecord): boolean {
  const old = membersOf(group, refresh.remaining);
  return group.launchFailures > 0 || (old.length > 0 && old.every((member) => isHeldBack(refresh, member)));
}

const isHeldBack = (
  { protectedInstances, standbyInstances }: InstanceRefreshRecord,
  { state, protectedFromScaleIn }: Member,
): boolean =>
  state === 'Standby' ? standbyInstances === 'Wait' : protectedFromScaleIn && protectedInstances === 'Wait';

function isBlockedTooLong(world: AutoScalingWorld, group: Group, refresh: InstanceRefreshRecord): boolean {
  if (!isBlocked(group, refresh)) {
    refresh.blockedSince = undefined;
    return false;
  }
  const now = world.clock.now();
  if (refresh.blockedSince === undefined) {
    refresh.blockedSince = now;
    world.clock.after(longestBlockSeconds * 1000, () => reconcileSoon(world, group));
  }
  return now - refresh.blockedSince >= longestBlockSeconds * 1000;
}

/** AWS does not document the words of the reason. */
function fail(world: AutoScalingWorld, group: Group, refresh: InstanceRefreshRecord): void {
  refresh.statusReason =
    group.launchFailures > 0
      ? 'Instances could not be launched for an hour.'
      : 'Instances in Standby or protected from scale in could not be replaced for an hour.';
  keepBegunReplacements(world, group, refresh);
  end(world, refresh, 'Failed');
}

/** Instances that wait for a replacement stay, unless the replacement is launched already. */
export function keepBegunReplacements(
  world: AutoScalingWorld,
  group: Group,
  { remaining }: InstanceRefreshRecord,
): void {
  for (const member of waitingToLeave(group)) {
    const isOld = remaining.has(member.instanceId);
    if (isOld && group.counts.active + weightOf(member) <= group.desired) unmarkLeaving(world, member);
  }
}

const membersOf = (group: Group, ids: Iterable<string>): Member[] =>
  [...ids].map((id) => group.members.get(id)).filter((member) => member !== undefined);

function replaceNext(world: AutoScalingWorld, group: Group, refresh: InstanceRefreshRecord): void {
  refresh.status = 'InProgress';
  const within = staysWithin(refresh);
  const budget = within ? withinBudget(world, group) : terminateFirstBudget(world, group, refresh);
  const old = membersOf(group, refresh.remaining).filter(mayTerminate);
  const cause = `At ${utcSeconds(world.clock.now())} an instance was taken out of service in response to an instance refresh.`;
  for (const member of old.filter((one) => mayReplace(refresh, one)).slice(0, budget)) {
    if (within) markLeaving(world, member, cause);
    else if (refresh.strategy === 'Rolling') terminateMember(world, member, { cause });
    else replaceRootVolume(world, member, () => refresh.remaining.delete(member.instanceId));
  }
  if (refresh.standbyInstances !== 'Terminate') return;
  for (const member of old) if (member.state === 'Standby') terminateMember(world, member, { cause });
}

const mayReplace = (refresh: InstanceRefreshRecord, member: Member): boolean =>
  member.state === 'InService' && member.leaving === undefined && !isHeldBack(refresh, member);

/** As many as the healthy percentage allows, at least one at a time. */
function terminateFirstBudget(
  world: AutoScalingWorld,
  group: Group,
  { percentages, warmupSeconds, startedAt }: InstanceRefreshRecord,
): number {
  const needed = Math.ceil((group.desired * percentages.minimum) / 100);
  const healthy = warmCount(world, group, { warmupSeconds, since: startedAt });
  return Math.max(healthy - needed, group.desired === healthy ? 1 : 0);
}

/** As many as fit between the healthy percentages; the group launches and terminates within them. */
function withinBudget(world: AutoScalingWorld, group: Group): number {
  const { lowest, highest } = replacementRange(world, group);
  return Math.max(0, highest - lowest - waitingToLeave(group).length);
}
