import { AwsError } from '../service.ts';
import { utcSeconds } from './activities.ts';
import { chooseVictims } from './balance.ts';
import { launchSettings, templateSpecification } from './configuration.ts';
import { mayTerminate, terminateMember } from './departures.ts';
import { launchMember } from './launching.ts';
import { releasable, roomToLaunch, waitingToLeave } from './maintenance-policy.ts';
import { isActive, membersWhere } from './members.ts';
import type { Group, Member } from './model.ts';
import { instanceRuns } from './transitions.ts';
import { returnsToPool, returnToPool, takeFromPool } from './warm-pool.ts';
import { weightOf } from './weights.ts';
import { type AutoScalingWorld, isSuspended } from './world.ts';

/** Launches what is missing and takes out what is too much. */
export function reconcileCapacity(world: AutoScalingWorld, group: Group): void {
  const missing = group.desired - group.counts.active;
  if (missing > 0) scaleOut(world, group, missing);
  else if (missing < 0) scaleIn(world, group, -missing);
  if (group.counts.active === group.desired) group.capacityCause = '';
}

function scaleOut(world: AutoScalingWorld, group: Group, count: number): void {
  if (group.deleting !== 'no' || isSuspended(group, 'Launch')) return;
  if (world.clock.now() < group.launchesResumeAt) return;
  const wanted = group.counts.active + Math.min(count, roomToLaunch(world, group));
  // The last instance may be heavier than what is missing.
  while (group.counts.active < wanted) {
    const cause = launchCause(world, group);
    if (wakeFromPool(world, group, cause)) continue;
    if (launchMember(world, group, { cause }) instanceof AwsError) return;
  }
}

/** A warm instance that runs already has nothing to boot: its launch hooks begin at once. */
function wakeFromPool(world: AutoScalingWorld, group: Group, cause: string): boolean {
  const member = takeFromPool(world, group, cause);
  if (member === undefined) return false;
  if (world.ec2.instances.find(member.instanceId)?.state === 'running') instanceRuns(world, member);
  return true;
}

function launchCause(world: AutoScalingWorld, group: Group): string {
  const now = utcSeconds(world.clock.now());
  if (group.replacements > 0) {
    group.replacements -= 1;
    return `At ${now} an instance was launched in response to an unhealthy instance needing to be replaced.`;
  }
  const { active } = group.counts;
  return `${beginning(group)}At ${now} an instance was started in response to a difference between desired and actual capacity, increasing the capacity from ${active} to ${active + 1}.`;
}

/** Why the desired capacity was changed; nothing once it has been reached. */
const beginning = ({ capacityCause }: Group): string => (capacityCause === '' ? '' : `${capacityCause}  `);

function scaleIn(world: AutoScalingWorld, group: Group, count: number): void {
  if (isSuspended(group, 'Terminate')) return;
  for (const victim of victims(world, group, count)) {
    const { active } = group.counts;
    const now = utcSeconds(world.clock.now());
    const cause = `${beginning(group)}At ${now} an instance was taken out of service in response to a difference between desired and actual capacity, shrinking the capacity from ${active} to ${active - 1}.  At ${now} instance ${victim.instanceId} was selected for termination.`;
    if (returnsToPool(group) && victim.state === 'InService') returnToPool(world, victim, cause);
    else terminateMember(world, victim, { cause });
  }
}

function victims(world: AutoScalingWorld, group: Group, count: number): Member[] {
  return chooseVictims({
    candidates: membersWhere(group, isActive),
    units: count,
    weightOf,
    byZone: group.counts.byZone,
    policies: group.settings.TerminationPolicies ?? [],
    currentTemplateId: templateSpecification(launchSettings(group))?.LaunchTemplateId,
    now: world.clock.now(),
    chance: () => world.random.next(),
  });
}

/**
 * Members that are to go once their replacement serves (a rebalance recommendation, uneven zones, an instance maintenance policy) go now, as far
 * as the group has enough without them.
 */
export function releaseLeaving(world: AutoScalingWorld, group: Group): void {
  const waiting = waitingToLeave(group).filter(mayTerminate);
  if (waiting.length === 0) return;
  let spare = releasable(world, group);
  for (const member of waiting) {
    spare -= weightOf(member);
    if (spare < 0) return;
    group.leaving.delete(member);
    terminateMember(world, member, { cause: member.leaving ?? '' });
  }
}
