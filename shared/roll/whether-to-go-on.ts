import { eksNodegroupOf, isSuspended, leavesOneAtATime } from '../groups/group.ts';
import { isInService } from '../groups/lifecycle-state.ts';
import { describePause, pauseOf } from '../passes/pause.ts';
import { inMotion } from './bounds.ts';
import { isLaunchedSince, type RollMember } from './member.ts';
import type { GroupProgress } from './progress.ts';
import type { LaunchedFrom, LaunchTarget, Roll } from './roll.ts';
import type { StepFacts } from './step.ts';

/** This many failed launches of one group have a cause that stays. */
const mostFailedLaunches = 3;

/** Whether the roll has stopped, and people have not resumed it since. Pure. */
export const hasStopped = ({ roll, seen }: Pick<StepFacts, 'roll' | 'seen'>): boolean =>
  seen?.state === 'stopped' && seen.since >= (roll.resumedAt ?? 0);

/** Why the roll stops for good, until people resume it; undefined if it goes on. Pure. */
export function whyStopped(facts: StepFacts): string | undefined {
  if (facts.podsCheck?.blocked !== undefined) return facts.podsCheck.blocked;
  const [alarm] = facts.raisedAlarms;
  if (alarm !== undefined) return `the alarm ${alarm} is raised`;
  for (const { autoScalingGroupName: name } of facts.roll.groups) {
    const { count = 0, newest } = facts.failedLaunches.get(name) ?? {};
    if (count >= mostFailedLaunches)
      return `${count} launches of ${name} have failed${newest === undefined ? '' : `, the last: ${newest}`}`;
    const canary = facts.canaries.get(name);
    if (canary?.kind === 'failed') return `${name}: ${canary.reason}`;
  }
  return undefined;
}

/**
 * Why the roll stops in a group whose new instances are all gone, and that is whole only because its desired capacity was lowered.
 * cluster-autoscaler does that with instances whose nodes never register, so the roll would take one old instance after the other
 * (kubernetes/autoscaler#6795). Undefined for any other group. Pure.
 */
export function whyShrunk(
  { roll, failedLaunches, members }: StepFacts,
  progress: readonly GroupProgress[],
): string | undefined {
  for (const one of progress) {
    const { autoScalingGroupName: name, group, old, fresh } = one;
    const { ended = 0, newest } = failedLaunches.get(name) ?? {};
    const hasNew = fresh.some((member) => isLaunchedSince(roll, member));
    // Launches into a warm pool end too, and its instances are not members.
    if (ended === 0 || old.length === 0 || hasNew || group?.hasWarmPool) continue;
    if (inMotion(one, members) > 0) continue;
    return `nothing is left of what ${name} has launched since the roll began, and its desired capacity is lower${newest === undefined ? '' : `; the last launch failed: ${newest}`}`;
  }
  return undefined;
}

/**
 * Why the roll stops although instances of etcd or of a control plane are still to go: nothing shows whether an instance of a group that is not
 * managed any more leaves, and it may be of the same role. Undefined for any other roll. Pure.
 */
export function whyUnseen(progress: readonly GroupProgress[]): string | undefined {
  const gone = progress.find(({ group }) => group === undefined);
  return gone && progress.some(({ role, old }) => role !== 'worker' && old.length > 0)
    ? `${gone.autoScalingGroupName} is not a managed group of the cluster any more, so nothing shows whether one of its instances leaves: restore its tags, or abort the roll`
    : undefined;
}

/**
 * Why Auto Scaling keeps an instance in service that is Unhealthy; undefined if it replaces it, or the instance is Healthy. The process may have
 * been suspended after the roll has set the instance Unhealthy. Pure.
 */
export function whyNotReplaced(
  { groups }: Pick<StepFacts, 'groups'>,
  { autoScalingGroupName: name, healthy, lifecycleState }: RollMember,
): string | undefined {
  const group = groups.find((one) => one.autoScalingGroupName === name);
  const stays =
    !healthy && isInService({ lifecycleState }) && group && isSuspended(group, 'ReplaceUnhealthy');
  return stays ? `${name} suspends ReplaceUnhealthy` : undefined;
}

/** The pause of a group of the roll by `drover pause`, which outranks whatever the roll would do. Pure. */
export function whyHeld({ groups, roll }: Pick<StepFacts, 'groups' | 'roll'>): string | undefined {
  for (const group of groups) {
    const isOurs = roll.groups.some(
      ({ autoScalingGroupName }) => autoScalingGroupName === group.autoScalingGroupName,
    );
    const pause = isOurs ? pauseOf(group.tags) : undefined;
    if (pause) return `${group.autoScalingGroupName} is ${describePause(pause)}`;
  }
  return undefined;
}

/** Why the roll is paused, until its cause is over; undefined if it is not. Groups that have no old instances left count for nothing. Pure. */
export function whyPaused(facts: StepFacts, progress: readonly GroupProgress[]): string | undefined {
  if (facts.roll.wanted === 'paused') return 'people have paused it';
  const [alarm] = facts.unknownAlarms;
  if (alarm !== undefined)
    return `CloudWatch has no alarm ${alarm}, which should stop the roll: restore it, or abort the roll and begin one without it`;
  for (const one of progress) {
    const why = one.old.length > 0 ? whyGroupPaused(facts, one) : undefined;
    if (why !== undefined) return why;
  }
  return undefined;
}

function whyGroupPaused(
  facts: StepFacts,
  { autoScalingGroupName: name, group, role }: GroupProgress,
): string | undefined {
  const { roll, others, refreshes, targets, withoutHook } = facts;
  const other = others.find(
    (one) =>
      precedes(one, roll) && one.groups.some(({ autoScalingGroupName }) => autoScalingGroupName === name),
  );
  if (other) return `the roll ${other.name} replaces ${name} already`;
  const strict =
    role === 'worker' ? undefined : others.find((one) => precedes(one, roll) && hasStrictGroup(one, facts));
  if (strict)
    return `one at a time: the roll ${strict.name} replaces instances of etcd or of a control plane`;
  const refresh = refreshes.get(name);
  if (refresh !== undefined) return `the instance refresh ${refresh} of ${name} is active`;
  if (group && eksNodegroupOf(group)) return `EKS manages ${name}: update its node group instead`;
  if (withoutHook?.has(name))
    return `${name} has no hook of Drover for terminating instances any more, so nothing would be drained: restore it (drover doctor has the command)`;
  const suspended =
    group && (['Launch', 'Terminate'] as const).find((process) => isSuspended(group, process));
  if (suspended) return `${name} suspends ${suspended}`;
  const stuck = facts.members.find(
    (member) => member.autoScalingGroupName === name && whyNotReplaced(facts, member),
  );
  if (stuck)
    return `${name} suspends ReplaceUnhealthy, and ${stuck.instanceId} is Unhealthy: resume the process, or abort the roll`;
  const target = roll.groups.find(({ autoScalingGroupName }) => autoScalingGroupName === name)?.target;
  const now = targets.get(name);
  if (target === undefined || now === undefined) return undefined;
  if ('unknown' in now) return roll.criterion.kind === 'changed' ? `${name}: ${now.unknown}` : undefined;
  const change = targetChange(target, now);
  return change === undefined
    ? undefined
    : `what ${name} launches has changed since the roll began: ${change}`;
}

const hasStrictGroup = ({ groups }: Pick<Roll, 'groups'>, facts: StepFacts): boolean =>
  facts.groups.some(
    (group) =>
      leavesOneAtATime(group) &&
      groups.some(({ autoScalingGroupName }) => autoScalingGroupName === group.autoScalingGroupName),
  );

/** The roll that began first has the group. */
const precedes = (one: Pick<Roll, 'name' | 'startedAt'>, other: Pick<Roll, 'name' | 'startedAt'>): boolean =>
  one.startedAt < other.startedAt || (one.startedAt === other.startedAt && one.name < other.name);

/** What differs between two targets, such as `v2 -> v3`; undefined if nothing does. Pure. */
export function targetChange(before: LaunchTarget, now: LaunchTarget): string | undefined {
  const main = templateChange(before.main, now.main);
  if (main !== undefined) return main;
  const [older = [], newer = []] = [before.overrides, now.overrides];
  const override = older.map((one, index) => {
    const same = newer[index];
    return same && templateChange(one, same);
  });
  const change = override.find((one) => one !== undefined);
  if (change !== undefined) return change;
  return older.length === newer.length && before.policyDigest === now.policyDigest
    ? undefined
    : 'the overrides of its mixed instances policy';
}

function templateChange(before: LaunchedFrom, now: LaunchedFrom): string | undefined {
  if (before.templateId !== now.templateId) return `${before.templateId} -> ${now.templateId}`;
  if (before.version !== now.version) return `v${before.version} -> v${now.version}`;
  return before.imageId === now.imageId ? undefined : `${before.imageId} -> ${now.imageId}`;
}
