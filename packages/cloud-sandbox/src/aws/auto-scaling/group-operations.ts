import type {
  CreateAutoScalingGroupType,
  DeleteAutoScalingGroupType,
  SetDesiredCapacityType,
  UpdateAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import { utcSeconds } from './activities.ts';
import { launchable } from './configuration.ts';
import { autoScalingErrors } from './errors.ts';
import { deleteGroup } from './group-deletion.ts';
import { putHook } from './hook-operations.ts';
import { checkInstanceLifetime } from './instance-lifetime.ts';
import { activeRefresh, withMaintenancePolicy } from './maintenance-policy.ts';
import { emptyCounts, recount } from './members.ts';
import type { Group, GroupSettings } from './model.ts';
import { setTags } from './tag-operations.ts';
import { checkBounds, checkNewGroup, required } from './validation.ts';
import { type AutoScalingWorld, findGroup, reconcileSoon } from './world.ts';

export const groupOperations = (world: AutoScalingWorld) => ({
  CreateAutoScalingGroup: (input: CreateAutoScalingGroupType): Record<string, never> => {
    const group = newGroup(world, input);
    for (const hook of input.LifecycleHookSpecificationList ?? []) putHook(world, group, hook);
    world.groups.set(group.name, group);
    reconcileSoon(world, group);
    return {};
  },
  UpdateAutoScalingGroup: (input: UpdateAutoScalingGroupType): Record<string, never> => {
    update(world, changeableGroup(world, input.AutoScalingGroupName), input);
    return {};
  },
  SetDesiredCapacity: (input: SetDesiredCapacityType): Record<string, never> => {
    setDesiredCapacity(
      world,
      changeableGroup(world, input.AutoScalingGroupName),
      required(input.DesiredCapacity, 'desiredCapacity'),
    );
    return {};
  },
  DeleteAutoScalingGroup: (input: DeleteAutoScalingGroupType): Record<string, never> => {
    deleteGroup(world, findGroup(world, input.AutoScalingGroupName), input.ForceDelete === true);
    return {};
  },
});

/** Throws for a group that is being deleted. */
export function changeableGroup(world: AutoScalingWorld, name: string | undefined): Group {
  const group = findGroup(world, name);
  if (group.deleting !== 'no') throw autoScalingErrors.groupDeleting();
  return group;
}

function newGroup(world: AutoScalingWorld, input: CreateAutoScalingGroupType): Group {
  checkNewGroup(input);
  const { AutoScalingGroupName, MinSize, MaxSize, DesiredCapacity, Tags, TargetGroupARNs, ...rest } = input;
  const { LifecycleHookSpecificationList: _hooks, ...settings } = rest;
  const name = required(AutoScalingGroupName, 'autoScalingGroupName');
  const minimum = required(MinSize, 'minSize');
  const maximum = required(MaxSize, 'maxSize');
  const desired = DesiredCapacity ?? minimum;
  if (world.groups.has(name)) throw autoScalingErrors.groupExists();
  checkBounds({ minimum, maximum, desired });
  const now = world.clock.now();
  const capacityCause = `At ${utcSeconds(now)} a user request created an AutoScalingGroup changing the desired capacity from 0 to ${desired}.`;
  const group = {
    ...emptyGroup(world, name),
    settings: launchable(world, checked(settings)),
    minimum,
    maximum,
    desired,
    capacityCause,
  };
  setTags(group, Tags ?? []);
  for (const arn of TargetGroupARNs ?? []) group.targetGroupArns.add(knownTargetGroup(world, arn));
  return group;
}

function emptyGroup(
  world: AutoScalingWorld,
  name: string,
): Omit<Group, 'settings' | 'minimum' | 'maximum' | 'desired' | 'capacityCause'> {
  return {
    name,
    arn: `arn:aws:autoscaling:${world.region}:${world.accountId}:autoScalingGroup:${world.random.uuid()}:autoScalingGroupName/${name}`,
    createdAt: world.clock.now(),
    counts: emptyCounts(),
    members: new Map(),
    leaving: new Set(),
    hooks: new Map(),
    tags: new Map(),
    targetGroupArns: new Set(),
    suspended: new Map(),
    activities: [],
    refreshes: [],
    scheduledActions: new Map(),
    warmPool: undefined,
    shiftedZone: undefined,
    deleting: 'no',
    replacements: 0,
    launchFailures: 0,
    launchesResumeAt: 0,
    reconcileTimer: undefined,
    lifetimeTimer: undefined,
  };
}

/** The settings with a valid policy. Throws ValidationError. */
function checked(settings: GroupSettings): GroupSettings {
  checkInstanceLifetime(settings);
  return withMaintenancePolicy(settings);
}

/** Throws ValidationError for a target group that Elastic Load Balancing does not know. */
export function knownTargetGroup(world: AutoScalingWorld, arn: string): string {
  if (world.targets?.exists(arn) === true) return arn;
  throw autoScalingErrors.validation(
    `Provided Target Groups may not be valid. Please ensure they exist and try again. ${arn}`,
  );
}

function update(world: AutoScalingWorld, group: Group, input: UpdateAutoScalingGroupType): void {
  const { AutoScalingGroupName: _name, MinSize, MaxSize, DesiredCapacity, ...changes } = input;
  if (isPinned(group) && changesConfiguration(changes)) throw autoScalingErrors.refreshHasConfiguration();
  const changed = checked(changedSettings(group.settings, changes));
  const settings = changesLaunches(changes) ? launchable(world, changed) : changed;
  updateSizes(world, group, { MinSize, MaxSize, DesiredCapacity }, 'a user request');
  Object.assign(group, { settings });
  recount(group);
}

/** A desired capacity outside new bounds moves to the nearer one; one that is given must be inside. */
export function updateSizes(
  world: AutoScalingWorld,
  group: Group,
  { MinSize, MaxSize, DesiredCapacity }: Sizes,
  by: 'a user request' | 'a scheduled action',
): void {
  const minimum = MinSize ?? group.minimum;
  const maximum = MaxSize ?? group.maximum;
  const desired = DesiredCapacity ?? Math.max(minimum, Math.min(group.desired, maximum));
  checkBounds({ minimum, maximum, desired });
  const now = utcSeconds(world.clock.now());
  changeDesired(
    world,
    group,
    desired,
    `At ${now} ${by} update of AutoScalingGroup constraints to min: ${minimum}, max: ${maximum}, desired: ${desired} changing the desired capacity from ${group.desired} to ${desired}.`,
  );
  Object.assign(group, { minimum, maximum });
  reconcileSoon(world, group);
}

type Sizes = {
  readonly [Name in 'MinSize' | 'MaxSize' | 'DesiredCapacity']: UpdateAutoScalingGroupType[Name];
};

/** Members that are not given stay; a launch template takes the place of a mixed instances policy and the other way round. */
function changedSettings(before: GroupSettings, changes: GroupSettings): GroupSettings {
  const given = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as GroupSettings;
  const { LaunchTemplate, MixedInstancesPolicy, ...others } = before;
  const replaced = given.LaunchTemplate !== undefined || given.MixedInstancesPolicy !== undefined;
  return { ...others, ...(replaced ? {} : { LaunchTemplate, MixedInstancesPolicy }), ...given };
}

const isPinned = (group: Group): boolean => activeRefresh(group)?.desiredConfiguration !== undefined;

const changesConfiguration = (changes: GroupSettings): boolean =>
  [changes.LaunchTemplate, changes.MixedInstancesPolicy, changes.LaunchConfigurationName].some(
    (value) => value !== undefined,
  );

const changesLaunches = (changes: GroupSettings): boolean =>
  changesConfiguration(changes) ||
  [changes.VPCZoneIdentifier, changes.AvailabilityZones].some((value) => value !== undefined);

function setDesiredCapacity(world: AutoScalingWorld, group: Group, desired: number): void {
  if (desired < group.minimum) throw autoScalingErrors.belowMinimum(desired, group.minimum);
  if (desired > group.maximum) throw autoScalingErrors.aboveMaximum(desired, group.maximum);
  const now = utcSeconds(world.clock.now());
  changeDesired(
    world,
    group,
    desired,
    `At ${now} a user request explicitly set group desired capacity changing the desired capacity from ${group.desired} to ${desired}.`,
  );
}

function changeDesired(world: AutoScalingWorld, group: Group, desired: number, cause: string): void {
  if (desired === group.desired) return;
  group.desired = desired;
  group.capacityCause = cause;
  reconcileSoon(world, group);
}
