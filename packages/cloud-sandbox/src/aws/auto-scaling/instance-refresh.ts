import type {
  CancelInstanceRefreshType,
  DescribeInstanceRefreshesType,
  DesiredConfiguration,
  InstanceRefresh,
  StartInstanceRefreshType,
} from '@aws-sdk/client-auto-scaling';
import { page, pageSize } from '../paging.ts';
import { currentTemplate, launchable, withConfiguration } from './configuration.ts';
import { autoScalingErrors } from './errors.ts';
import { activeRefresh, refreshPercentages, warmupOf } from './maintenance-policy.ts';
import { membersWhere } from './members.ts';
import type { Group, GroupSettings, InstanceRefreshRecord, Member } from './model.ts';
import { keepBegunReplacements } from './refresh-steps.ts';
import { requireReplaceableRootVolumes } from './root-volume.ts';
import { type AutoScalingWorld, findGroup, reconcileSoon } from './world.ts';

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/asg-instance-refresh.html, without alarms, checkpoints and rollback. */
export const instanceRefreshOperations = (world: AutoScalingWorld) => ({
  StartInstanceRefresh: (input: StartInstanceRefreshType) => {
    const group = findGroup(world, input.AutoScalingGroupName);
    if (activeRefresh(group) !== undefined) throw autoScalingErrors.refreshInProgress();
    if (input.Strategy === 'ReplaceRootVolume') requireReplaceableRootVolumes(group, input);
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
    refresh.waitsForTransitions = input.WaitForTransitioningInstances ?? true;
    keepBegunReplacements(world, group, refresh);
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

/** With the id and the name of its launch template. Throws ValidationError if nothing could be launched with it. */
function desiredConfiguration(
  world: AutoScalingWorld,
  group: Group,
  { DesiredConfiguration: desired = {} }: StartInstanceRefreshType,
): DesiredConfiguration | undefined {
  if (desired.LaunchTemplate === undefined && desired.MixedInstancesPolicy === undefined) return undefined;
  const { LaunchTemplate, MixedInstancesPolicy } = launchable(
    world,
    withConfiguration(group.settings, desired),
  );
  return { LaunchTemplate, MixedInstancesPolicy };
}

/** The defaults are those of the API; the console has others. https://docs.aws.amazon.com/autoscaling/ec2/userguide/understand-instance-refresh-default-values.html */
function newRefresh(
  world: AutoScalingWorld,
  group: Group,
  input: StartInstanceRefreshType,
): InstanceRefreshRecord {
  const { Preferences: preferences = {} } = input;
  const desired = desiredConfiguration(world, group, input);
  const settings = desired === undefined ? group.settings : withConfiguration(group.settings, desired);
  const {
    ScaleInProtectedInstances: protectedInstances = 'Wait',
    StandbyInstances: standbyInstances = 'Wait',
  } = preferences;
  const skipsMatching = preferences.SkipMatching === true;
  const old = membersWhere(
    group,
    (member) =>
      (member.state === 'InService' || (member.state === 'Standby' && standbyInstances !== 'Ignore')) &&
      !(member.protectedFromScaleIn && protectedInstances === 'Ignore') &&
      !(skipsMatching && matches(world, member, settings)),
  );
  return {
    id: world.random.uuid(),
    startedAt: world.clock.now(),
    percentages: refreshPercentages(world, group, preferences),
    warmupSeconds: preferences.InstanceWarmup ?? warmupOf(group),
    bakeSeconds: preferences.BakeTime ?? 0,
    strategy: input.Strategy ?? 'Rolling',
    skipsMatching,
    protectedInstances,
    standbyInstances,
    desiredConfiguration: desired,
    total: old.length,
    remaining: new Set(old.map(({ instanceId }) => instanceId)),
    blockedSince: undefined,
    bakesSince: undefined,
    waitsForTransitions: true,
    endedAt: undefined,
    status: 'Pending',
    statusReason: undefined,
  };
}

function matches(world: AutoScalingWorld, member: Member, settings: GroupSettings): boolean {
  const template = currentTemplate(world, settings);
  return (
    member.launchTemplate?.LaunchTemplateId === template?.id &&
    member.launchTemplate?.Version === String(template?.version)
  );
}

function toRefresh(group: Group, refresh: InstanceRefreshRecord): InstanceRefresh {
  const { percentages } = refresh;
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
    DesiredConfiguration: refresh.desiredConfiguration,
    Preferences: {
      MinHealthyPercentage: percentages.minimum,
      MaxHealthyPercentage: percentages.from === 'default' ? undefined : percentages.maximum,
      InstanceWarmup: refresh.warmupSeconds,
      SkipMatching: refresh.skipsMatching,
      ScaleInProtectedInstances: refresh.protectedInstances,
      StandbyInstances: refresh.standbyInstances,
      BakeTime: refresh.bakeSeconds,
    },
  };
}
