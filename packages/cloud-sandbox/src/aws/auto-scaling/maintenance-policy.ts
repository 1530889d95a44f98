import type { InstanceMaintenancePolicy, RefreshPreferences } from '@aws-sdk/client-auto-scaling';
import { autoScalingErrors } from './errors.ts';
import { membersWhere } from './members.ts';
import type { Group, GroupSettings, InstanceRefreshRecord, Member } from './model.ts';
import { unitsOf } from './weights.ts';
import { type AutoScalingWorld, reconcileSoon } from './world.ts';

/** Shares of the desired capacity between which a group stays while it replaces instances. */
export interface HealthyPercentages {
  readonly minimum: number;
  readonly maximum: number;
}

/** An instance refresh has its maximum from its request, from the policy, or by default, which is 100 percent. */
export interface RefreshPercentages extends HealthyPercentages {
  readonly from: 'request' | 'policy' | 'default';
}

/** The policy that MinHealthyPercentage -1 and MaxHealthyPercentage -1 remove. */
const clears = ({ MinHealthyPercentage, MaxHealthyPercentage }: InstanceMaintenancePolicy): boolean =>
  MinHealthyPercentage === -1 && MaxHealthyPercentage === -1;

const isBetween = (value: number, lowest: number, highest: number): boolean =>
  Number.isInteger(value) && value >= lowest && value <= highest;

/**
 * Throws ValidationError unless both percentages are given, each is in its range, and they are at most 100 apart.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_InstanceMaintenancePolicy.html. AWS does not document the messages.
 */
export function checkHealthyPercentages(percentages: InstanceMaintenancePolicy): HealthyPercentages {
  const { MinHealthyPercentage: minimum, MaxHealthyPercentage: maximum } = percentages;
  if (minimum === undefined || maximum === undefined) {
    throw autoScalingErrors.validation(
      'Both MinHealthyPercentage and MaxHealthyPercentage must be specified.',
    );
  }
  if (!isBetween(minimum, 0, 100)) {
    throw autoScalingErrors.validation(`MinHealthyPercentage must be between 0 and 100, but was ${minimum}.`);
  }
  if (!isBetween(maximum, 100, 200)) {
    throw autoScalingErrors.validation(
      `MaxHealthyPercentage must be between 100 and 200, but was ${maximum}.`,
    );
  }
  if (maximum - minimum > 100) {
    throw autoScalingErrors.validation(
      'The difference between MaxHealthyPercentage and MinHealthyPercentage must not be greater than 100.',
    );
  }
  return { minimum, maximum };
}

/** The settings with a valid policy, or without one if the request removes it. Throws ValidationError. */
export function withMaintenancePolicy(settings: GroupSettings): GroupSettings {
  const { InstanceMaintenancePolicy: policy, ...others } = settings;
  if (policy === undefined || clears(policy)) return others;
  checkHealthyPercentages(policy);
  return settings;
}

const ownPercentages = ({ settings }: Group): HealthyPercentages | undefined =>
  settings.InstanceMaintenancePolicy && checkHealthyPercentages(settings.InstanceMaintenancePolicy);

/**
 * What the group's policy says, or the account setting `launchBeforeTerminate` if the group has no policy. The user guide documents a minimum of
 * 100 percent for the account setting; the maximum is that of the console's option "Launch before terminating".
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-before-terminate-account-setting.html
 */
export function healthyPercentages(world: AutoScalingWorld, group: Group): HealthyPercentages | undefined {
  const own = ownPercentages(group);
  if (own !== undefined) return own;
  return world.accountSettings.get('launchBeforeTerminate') === 'enabled'
    ? { minimum: 100, maximum: 110 }
    : undefined;
}

/**
 * The percentages of an instance refresh: of the request, then of the policy, then 90 and 100. The account setting applies to groups that do not "define
 * an instance maintenance policy or set instance refresh preferences" (user guide, "Account settings"). Throws ValidationError.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_RefreshPreferences.html
 */
export function refreshPercentages(
  world: AutoScalingWorld,
  group: Group,
  { MinHealthyPercentage, MaxHealthyPercentage }: RefreshPreferences,
): RefreshPercentages {
  if (MaxHealthyPercentage !== undefined) {
    return { ...checkHealthyPercentages({ MinHealthyPercentage, MaxHealthyPercentage }), from: 'request' };
  }
  const policy =
    MinHealthyPercentage === undefined ? healthyPercentages(world, group) : ownPercentages(group);
  const percentages = checkHealthyPercentages({
    MinHealthyPercentage: MinHealthyPercentage ?? policy?.minimum ?? 90,
    MaxHealthyPercentage: policy?.maximum ?? 100,
  });
  return { ...percentages, from: policy === undefined ? 'default' : 'policy' };
}

export const activeRefresh = (group: Group): InstanceRefreshRecord | undefined =>
  group.refreshes.find(({ endedAt }) => endedAt === undefined);

/**
 * Whether the refresh launches and terminates within its percentages. Without a maximum it "terminates an instance and launches its replacement
 * simultaneously", also with a minimum of 100 percent (API reference, RefreshPreferences).
 */
export const staysWithin = ({ strategy, percentages }: InstanceRefreshRecord): boolean =>
  strategy === 'Rolling' && percentages.from !== 'default';

/** Whether a replacement is launched first if the percentages leave no room for one: always with those that a request names. */
const launchesFirst = (percentages: HealthyPercentages | RefreshPercentages): boolean =>
  percentages.minimum === 100 || ('from' in percentages && percentages.from === 'request');

interface ReplacementRange {
  /** So much stays in service and warmed up, those that are to be replaced included. */
  readonly lowest: number;
  /** There is never more in service or pending, even above MaxSize. */
  readonly highest: number;
  readonly warmupSeconds: number;
}

/**
 * Between which capacities the group stays while instances are replaced: the percentages of a refresh, then those of the group. At least one
 * instance can be replaced: first launched if the minimum is 100 percent or a refresh names a maximum, first terminated otherwise. Without a policy, rebalancing may exceed MaxSize by 10 percent
 * of it, with capacity rebalancing by 10 percent of the desired capacity, or by one instance.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-maintenance-policy-overview-and-considerations.html
 */
export function replacementRange(world: AutoScalingWorld, group: Group): ReplacementRange {
  const refresh = [activeRefresh(group)].find((active) => active !== undefined && staysWithin(active));
  const percentages = refresh?.percentages ?? healthyPercentages(world, group);
  const { desired, maximum } = group;
  if (percentages === undefined) {
    const base = group.settings.CapacityRebalance === true ? desired : maximum;
    const margin = Math.max(1, Math.floor(base / 10));
    return { lowest: desired, highest: maximum + margin, warmupSeconds: 0 };
  }
  const needed = Math.ceil((desired * percentages.minimum) / 100);
  const allowed = Math.floor((desired * percentages.maximum) / 100);
  const highest = launchesFirst(percentages) ? Math.max(allowed, needed + 1) : allowed;
  return {
    lowest: Math.min(needed, highest - 1),
    highest,
    warmupSeconds: refresh?.warmupSeconds ?? warmupOf(group),
  };
}

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-default-instance-warmup.html */
export function warmupOf(group: Group): number {
  const { DefaultInstanceWarmup: warmup = -1, HealthCheckGracePeriod: grace = 0 } = group.settings;
  return warmup >= 0 ? warmup : grace;
}

const isWaiting = (member: Member): boolean => member.state === 'InService';

/** Members in service that go as soon as their replacement is ready. */
export const waitingToLeave = (group: Group): Member[] => [...group.leaving].filter(isWaiting);

/** How much the group may launch now; without a limit if nothing is being replaced. */
export function roomToLaunch(world: AutoScalingWorld, group: Group): number {
  const waiting = unitsOf(waitingToLeave(group));
  if (waiting === 0) return Number.POSITIVE_INFINITY;
  return replacementRange(world, group).highest - group.counts.active - waiting;
}

/** How much of the members that wait to leave may go now. */
export function releasable(world: AutoScalingWorld, group: Group): number {
  const { lowest, warmupSeconds } = replacementRange(world, group);
  return warmCount(world, group, { warmupSeconds }) + unitsOf(waitingToLeave(group)) - lowest;
}

/**
 * Members in service that are not to be replaced and are warmed up. Members that served at `since` count as warm. The group looks again
 * when the next one is warm.
 */
export function warmCount(
  world: AutoScalingWorld,
  group: Group,
  { warmupSeconds, since = Number.NEGATIVE_INFINITY }: { warmupSeconds: number; since?: number },
): number {
  const now = world.clock.now();
  const servesSince = ({ inServiceSince = now }: Member): number => inServiceSince;
  const readyAt = (member: Member): number => servesSince(member) + warmupSeconds * 1000;
  const serving = membersWhere(group, (member) => isWaiting(member) && member.leaving === undefined);
  const cold = serving.filter((member) => servesSince(member) >= since && readyAt(member) > now);
  if (cold.length > 0) {
    world.clock.after(Math.min(...cold.map(readyAt)) - now, () => reconcileSoon(world, group));
  }
  return unitsOf(serving) - unitsOf(cold);
}
