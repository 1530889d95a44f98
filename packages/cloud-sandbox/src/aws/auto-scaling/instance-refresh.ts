import type {
  CancelInstanceRefreshType,
  DescribeInstanceRefreshesType,
  InstanceRefresh,
  RefreshPreferences,
  StartInstanceRefreshType,
} from '@aws-sdk/client-auto-scaling';
import { page, pageSize } from '../paging.ts';
import { utcSeconds } from './activities.ts';
import { currentTemplate, launchable } from './configuration.ts';
import { mayTerminate, terminateMember } from './departures.ts';
import { autoScalingErrors } from './errors.ts';
import {
  activeRefresh,
  checkHealthyPercentages,
  type HealthyPercentages,
  healthyPercentages,
  replacementRange,
  waitingToLeave,
  warmCount,
  warmupOf,
} from './maintenance-policy.ts';
import { markLeaving, membersWhere, recount } from './members.ts';
import type { Group, InstanceRefreshRecord, Member } from './model.ts';
import { replaceRootVolume, requireReplaceableRootVolumes } from './root-volume.ts';
import { type AutoScalingWorld, findGroup, isSuspended, reconcileSoon } from './world.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/asg-instance-refresh.html, without checkpoints and rollback. */
export const instanceRefreshOperations = (world: AutoScalingWorld) => ({
  StartInstanceRefresh: (input: StartInstanceRefreshType) => {
    const group = findGroup(world, input.AutoScalingGroupName);
    if (activeRefresh(group) !== undefined) throw autoScalingErrors.refreshInProgress();
    if (input.Strategy === 'ReplaceRootVolume') requireReplaceableRootVolumes(group, input);
    applyConfiguration(world, group, input);
    const refresh = newRefresh(world, group, input);
    group.refreshes.unshift(refresh);
    reconcileSoon(world, group);
    return { InstanceRefreshId: refresh.id };
  },
  CancelInstanceRefresh: (input: CancelInstanceRefreshType) => {
    const group = findGroup(world, input.AutoScalingGroupName);
    const refresh = activeRefresh(group);
    if (refresh === undefined) throw autoScalingErrors.noActiveRefresh(group.name);
    refresh.status = 'Cancelling';
    refresh.statusReason = 'Cancelled by a user request';
    reconcileSoon(world, group);
    return { InstanceRefreshId: refresh.id };
  },
  DescribeInstanceRefreshes: (input: DescribeInstanceRefreshesType) => {
    const group = findGroup(world, input.AutoScalingGroupName);
    const { InstanceRefreshIds: ids } = input;
    const asked = group.refreshes.filter(
      ({ id }) => ids === undefined || ids.length === 0 || ids.includes(id),
    );
    const { items, nextToken } = page(asked, {
      nextToken: input.NextToken,
      size: pageSize(input.MaxRecords, { default: 50, maximum: 100 }),
      invalidToken: autoScalingErrors.invalidNextToken,
    });
    return { InstanceRefreshes: items.map((refresh) => toRefresh(group, refresh)), NextToken: nextToken };
  },
});

function applyConfiguration(world: AutoScalingWorld, group: Group, input: StartInstanceRefreshType): void {
  const { LaunchTemplate, MixedInstancesPolicy } = input.DesiredConfiguration ?? {};
  if (LaunchTemplate === undefined && MixedInstancesPolicy === undefined) return;
  const settings = { ...group.settings, LaunchTemplate, MixedInstancesPolicy };
  group.settings = launchable(world, settings);
  recount(group);
}

function newRefresh(
  world: AutoScalingWorld,
  group: Group,
  input: StartInstanceRefreshType,
): InstanceRefreshRecord {
  const { Preferences: preferences } = input;
  const members = membersWhere(group, ({ state }) => state === 'InService');
  const old =
    preferences?.SkipMatching === true ? members.filter((member) => !matches(world, member)) : members;
  return {
    id: world.random.uuid(),
    startedAt: world.clock.now(),
    percentages: percentagesOf(world, group, preferences),
    warmupSeconds: preferences?.InstanceWarmup ?? warmupOf(group),
    strategy: input.Strategy ?? 'Rolling',
    total: old.length,
    remaining: new Set(old.map(({ instanceId }) => instanceId)),
    endedAt: undefined,
    status: 'Pending',
    statusReason: undefined,
  };
}

/** Of the request, then of the group's instance maintenance policy, then 90 and 100. Throws ValidationError. */
function percentagesOf(
  world: AutoScalingWorld,
  group: Group,
  preferences: RefreshPreferences | undefined,
): HealthyPercentages {
  const { MinHealthyPercentage, MaxHealthyPercentage } = preferences ?? {};
  if (MaxHealthyPercentage !== undefined) {
    return checkHealthyPercentages({ MinHealthyPercentage, MaxHealthyPercentage });
  }
  const policy = healthyPercentages(world, group);
  return { minimum: MinHealthyPercentage ?? policy?.minimum ?? 90, maximum: policy?.maximum ?? 100 };
}

function matches(world: AutoScalingWorld, member: Member): boolean {
  const template = currentTemplate(world, member.group.settings);
  return (
    member.launchTemplate?.LaunchTemplateId === template?.id &&
    member.launchTemplate?.Version === String(template?.version)
  );
}

/** One step of a refresh: replaces as many as the healthy percentage allows, at least one at a time. */
export function continueRefresh(world: AutoScalingWorld, group: Group): void {
  const refresh = activeRefresh(group);
  if (refresh === undefined || isSuspended(group, 'InstanceRefresh')) return;
  for (const id of refresh.remaining) if (!group.members.has(id)) refresh.remaining.delete(id);
  if (refresh.status === 'Cancelling') end(world, refresh, 'Cancelled');
  else if (refresh.remaining.size === 0 && isComplete(group)) end(world, refresh, 'Successful');
  else replaceNext(world, group, refresh);
}

const isComplete = (group: Group): boolean => group.counts.inService >= group.desired;

function end(
  world: AutoScalingWorld,
  refresh: InstanceRefreshRecord,
  status: 'Cancelled' | 'Successful',
): void {
  refresh.status = status;
  refresh.endedAt = world.clock.now();
}

function replaceNext(world: AutoScalingWorld, group: Group, refresh: InstanceRefreshRecord): void {
  refresh.status = 'InProgress';
  const launchesFirst = refresh.strategy === 'Rolling' && refresh.percentages.maximum > 100;
  const budget = launchesFirst
    ? launchFirstBudget(world, group)
    : terminateFirstBudget(world, group, refresh);
  const old = [...refresh.remaining]
    .map((id) => group.members.get(id))
    .filter((member) => member !== undefined)
    .filter((member) => member.state === 'InService' && member.leaving === undefined);
  const next = old.filter(mayTerminate).slice(0, budget);
  const cause = `At ${utcSeconds(world.clock.now())} an instance was taken out of service in response to an instance refresh.`;
  for (const member of next) {
    if (launchesFirst) markLeaving(world, member, cause);
    else if (refresh.strategy === 'Rolling') terminateMember(world, member, { cause });
    else replaceRootVolume(world, member, () => refresh.remaining.delete(member.instanceId));
  }
}

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
function launchFirstBudget(world: AutoScalingWorld, group: Group): number {
  const { lowest, highest } = replacementRange(world, group);
  return Math.max(0, highest - lowest - waitingToLeave(group).length);
}

function toRefresh(group: Group, refresh: InstanceRefreshRecord): InstanceRefresh {
  const done = refresh.total - refresh.remaining.size;
  return {
    InstanceRefreshId: refresh.id,
    AutoScalingGroupName: group.name,
    Status: refresh.status,
    StatusReason: refresh.statusReason,
    StartTime: new Date(refresh.startedAt),
    EndTime: refresh.endedAt === undefined ? undefined : new Date(refresh.endedAt),
    PercentageComplete: refresh.total === 0 ? 100 : Math.floor((100 * done) / refresh.total),
    InstancesToUpdate: refresh.remaining.size,
    Strategy: refresh.strategy,
    Preferences: {
      MinHealthyPercentage: refresh.percentages.minimum,
      MaxHealthyPercentage: refresh.percentages.maximum,
      InstanceWarmup: refresh.warmupSeconds,
    },
  };
}
