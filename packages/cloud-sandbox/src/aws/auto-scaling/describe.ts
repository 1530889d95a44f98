import type {
  AutoScalingGroup,
  AutoScalingGroupNamesType,
  AutoScalingInstanceDetails,
  DescribeAutoScalingInstancesType,
  DescribeScalingActivitiesType,
  Instance,
} from '@aws-sdk/client-auto-scaling';
import { page, pageSize } from '../paging.ts';
import type { Past } from '../past.ts';
import type { CallContext } from '../service.ts';
import { toActivity } from './activities.ts';
import { placesOf } from './configuration.ts';
import { autoScalingErrors } from './errors.ts';
import { keepGroups } from './filters.ts';
import type { Activity, Group, Member } from './model.ts';
import { isWarm } from './passages.ts';
import { tagsOf } from './tag-operations.ts';
import { hasWeights, weightOf } from './weights.ts';
import { type AutoScalingWorld, findGroup } from './world.ts';

const maximumInstanceIds = 50;

type Stale = Pick<CallContext, 'staleSeconds'>;

export const describeOperations = (now: AutoScalingWorld, past: Past<AutoScalingWorld>) => ({
  DescribeAutoScalingGroups: (input: AutoScalingGroupNamesType, call?: Stale) => {
    const world = past.ago(call?.staleSeconds) ?? now;
    const { items, nextToken } = page(keepGroups(askedFor(world, input), input.Filters), {
      nextToken: input.NextToken,
      size: pageSize(input.MaxRecords, { default: 50, maximum: 100 }),
      invalidToken: autoScalingErrors.invalidNextToken,
    });
    const withInstances = input.IncludeInstances !== false;
    return {
      AutoScalingGroups: items.map((group) => toGroup(world, group, withInstances)),
      NextToken: nextToken,
    };
  },
  DescribeAutoScalingInstances: (input: DescribeAutoScalingInstancesType, call?: Stale) => {
    const world = past.ago(call?.staleSeconds) ?? now;
    const { InstanceIds: ids = [] } = input;
    if (ids.length > maximumInstanceIds) {
      throw autoScalingErrors.validation(`The number of instance ids must not exceed ${maximumInstanceIds}`);
    }
    const asked = ids.length === 0 ? [...world.members.values()] : ids.map((id) => world.members.get(id));
    const { items, nextToken } = page(
      asked.filter((member) => member !== undefined),
      {
        nextToken: input.NextToken,
        size: pageSize(input.MaxRecords, { default: 50, maximum: 50 }),
        invalidToken: autoScalingErrors.invalidNextToken,
      },
    );
    return { AutoScalingInstances: items.map(toDetails), NextToken: nextToken };
  },
  DescribeScalingActivities: (input: DescribeScalingActivitiesType) => {
    const { items, nextToken } = page(activities(now, input), {
      nextToken: input.NextToken,
      size: pageSize(input.MaxRecords, { default: 100, maximum: 100 }),
      invalidToken: autoScalingErrors.invalidNextToken,
    });
    return { Activities: items.map(toActivity), NextToken: nextToken };
  },
});

/** Unknown names are left out, as AWS does. */
function askedFor(world: AutoScalingWorld, input: AutoScalingGroupNamesType): Group[] {
  const { AutoScalingGroupNames: names = [] } = input;
  if (names.length === 0) return [...world.groups.values()];
  return names.map((name) => world.groups.get(name)).filter((group) => group !== undefined);
}

/** Newest first; those of deleted groups only when asked for. */
function activities(world: AutoScalingWorld, input: DescribeScalingActivitiesType): Activity[] {
  const { AutoScalingGroupName: name, ActivityIds: ids = [] } = input;
  const former = input.IncludeDeletedGroups === true ? world.formerActivities : [];
  const groups =
    name === undefined || input.IncludeDeletedGroups === true
      ? [...world.groups.values()]
      : [findGroup(world, name)];
  const all = [...former, ...groups.flatMap((group) => group.activities)];
  return all
    .filter((activity) => name === undefined || activity.groupName === name)
    .filter((activity) => ids.length === 0 || ids.includes(activity.activityId))
    .sort((one, other) => other.startedAt - one.startedAt);
}

/** The group in the shape of DescribeAutoScalingGroups; members of the warm pool are described with the pool. */
function toGroup(world: AutoScalingWorld, group: Group, withInstances: boolean): AutoScalingGroup {
  const members = [...group.members.values()];
  const active = withInstances ? members.filter(({ state }) => !isWarm(state)) : [];
  return {
    ...withoutCreationOnly(group),
    AutoScalingGroupName: group.name,
    AutoScalingGroupARN: group.arn,
    MinSize: group.minimum,
    MaxSize: group.maximum,
    DesiredCapacity: group.desired,
    DefaultCooldown: group.settings.DefaultCooldown ?? 300,
    AvailabilityZones: placesOf(world, group.settings).map(({ availabilityZone }) => availabilityZone),
    LoadBalancerNames: [],
    TargetGroupARNs: [...group.targetGroupArns],
    TrafficSources: [...group.targetGroupArns].map((Identifier) => ({ Identifier, Type: 'elbv2' })),
    HealthCheckType: group.settings.HealthCheckType ?? 'EC2',
    HealthCheckGracePeriod: group.settings.HealthCheckGracePeriod ?? 0,
    Instances: active.map(toInstance),
    CreatedTime: new Date(group.createdAt),
    SuspendedProcesses: [...group.suspended].map(([ProcessName, SuspensionReason]) => ({
      ProcessName,
      SuspensionReason,
    })),
    EnabledMetrics: [],
    Tags: tagsOf(group),
    TerminationPolicies: group.settings.TerminationPolicies ?? ['Default'],
    NewInstancesProtectedFromScaleIn: group.settings.NewInstancesProtectedFromScaleIn ?? false,
    ServiceLinkedRoleARN: group.settings.ServiceLinkedRoleARN ?? serviceLinkedRole(world),
    ...warmPoolOf(group, members),
    ...(group.deleting === 'no' ? {} : { Status: 'Delete in progress' }),
  };
}

function withoutCreationOnly(group: Group) {
  const { InstanceId: _instanceId, SkipZonalShiftValidation: _skip, ...settings } = group.settings;
  return settings;
}

const serviceLinkedRole = (world: AutoScalingWorld): string =>
  `arn:aws:iam::${world.accountId}:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling`;

function warmPoolOf(group: Group, members: readonly Member[]): Partial<AutoScalingGroup> {
  if (group.warmPool === undefined) return {};
  return {
    WarmPoolConfiguration: toWarmPoolConfiguration(group),
    WarmPoolSize: members.filter(({ state }) => isWarm(state)).length,
  };
}

export function toWarmPoolConfiguration(group: Group): AutoScalingGroup['WarmPoolConfiguration'] {
  if (group.warmPool === undefined) return undefined;
  const { deleting, ...configuration } = group.warmPool;
  return { ...configuration, ...(deleting ? { Status: 'PendingDelete' as const } : {}) };
}

export function toInstance(member: Member): Instance {
  return {
    InstanceId: member.instanceId,
    InstanceType: member.instanceType,
    ...(hasWeights(member.group) && { WeightedCapacity: String(weightOf(member)) }),
    AvailabilityZone: member.availabilityZone,
    AvailabilityZoneId: member.availabilityZoneId,
    LifecycleState: member.state,
    HealthStatus: member.health,
    ...(member.launchTemplate === undefined ? {} : { LaunchTemplate: { ...member.launchTemplate } }),
    ImageId: member.imageId,
    ProtectedFromScaleIn: member.protectedFromScaleIn,
  };
}

/** Here AWS writes the health in capitals. */
function toDetails(member: Member): AutoScalingInstanceDetails {
  return {
    ...toInstance(member),
    AutoScalingGroupName: member.group.name,
    LifecycleState: member.state,
    HealthStatus: member.health.toUpperCase(),
  };
}
