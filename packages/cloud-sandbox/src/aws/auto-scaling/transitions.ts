import type { SimulatedInstance } from '../ec2/model.ts';
import { utcSeconds } from './activities.ts';
import { enterService, onRunningInEc2 } from './arrivals.ts';
import { mayTerminate, onTerminatedInEc2, terminateMember } from './departures.ts';
import { healthyPercentages } from './maintenance-policy.ts';
import { isActive, markLeaving, removeMember } from './members.ts';
import type { Member } from './model.ts';
import { isTerminating, isWarm } from './passages.ts';
import { enterPool } from './warm-pool.ts';
import { type AutoScalingWorld, isSuspended } from './world.ts';

/** The instance of a member runs: hooks, then the pool or the service. */
export function instanceRuns(world: AutoScalingWorld, member: Member): void {
  onRunningInEc2(world, member, (arrived) => {
    if (arrived.passage?.destination === 'WarmPool') enterPool(world, arrived);
    else enterService(world, arrived);
    checkHealth(world, arrived);
  });
}

/** Health is not checked in standby and in the last step of a launch, so an instance that died then is found here. */
export function checkHealth(world: AutoScalingWorld, member: Member): void {
  const isDead = !isAlive(world.ec2.instances.find(member.instanceId));
  if (isChecked(member) && isDead) checkLater(world, member);
}

/** What Auto Scaling does when EC2 changes the state of an instance of a group. */
export function instanceStateChanged(world: AutoScalingWorld, instance: SimulatedInstance): void {
  const member = world.members.get(instance.instanceId);
  if (member === undefined) return;
  if (instance.state === 'running') instanceRuns(world, member);
  if (instance.state === 'terminated') instanceEnded(world, member);
  checkHealth(world, member);
}

/** What is nowhere any more leaves the group: the end of a termination, or a retained or a warm instance that EC2 took. */
function instanceEnded(world: AutoScalingWorld, member: Member): void {
  onTerminatedInEc2(world, member);
  if (member.state.endsWith(':Retained')) removeMember(world, member);
  else if (isWarm(member.state) && !isTerminating(member.state))
    replaceUnhealthy(world, member, 'an EC2 health check');
}

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/health-checks-overview.html: nothing but running is healthy. */
const isAlive = (instance: SimulatedInstance | undefined): boolean =>
  instance?.state === 'running' || instance?.state === 'pending';

/** Standby and leaving instances are not looked at; stopping is what the warm pool does itself. */
const isChecked = (member: Member): boolean =>
  member.state === 'InService' ||
  member.state.includes('RootVolume') ||
  (member.state.startsWith('Pending') && member.passage?.origin === 'EC2');

function checkLater(world: AutoScalingWorld, member: Member): void {
  world.clock.after(world.timings.healthCheckSeconds * 1000, () => {
    if (world.members.get(member.instanceId) !== member || !isChecked(member)) return;
    if (isAlive(world.ec2.instances.find(member.instanceId))) return;
    if (isSuspended(member.group, 'HealthCheck')) return;
    member.health = 'Unhealthy';
    replaceUnhealthy(world, member, 'an EC2 health check indicating it has been terminated or stopped');
  });
}

/**
 * Terminates it through its hooks; the group, one short, launches another meanwhile: "While the instance is terminating, another scaling activity
 * launches a new instance" (user guide, "View the reason for health check failures"). A group with an instance maintenance policy keeps it in service
 * until the policy lets it go, unless it no longer runs: such an instance is replaced "immediately", even below the policy's minimum.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-maintenance-policy-overview-and-considerations.html
 */
export function replaceUnhealthy(world: AutoScalingWorld, member: Member, reason: string): void {
  if (isTerminating(member.state) || isSuspended(member.group, 'ReplaceUnhealthy')) return;
  if (!mayTerminate(member) || isIgnored(member)) return;
  const waits = isHeldByPolicy(world, member);
  if (waits && member.leaving !== undefined) return;
  const cause = `At ${utcSeconds(world.clock.now())} an instance was taken out of service in response to ${reason}.`;
  if (isActive(member)) member.group.replacements += 1;
  if (waits) markLeaving(world, member, cause);
  else terminateMember(world, member, { cause });
}

const isHeldByPolicy = (world: AutoScalingWorld, { group, instanceId, state }: Member): boolean =>
  state === 'InService' &&
  healthyPercentages(world, group) !== undefined &&
  isAlive(world.ec2.instances.find(instanceId));

/** With `IgnoreUnhealthy`, "instances will not be replaced in the Availability Zone with the active zonal shift" (API reference, AvailabilityZoneImpairmentPolicy). */
const isIgnored = ({ group, availabilityZone }: Member): boolean =>
  group.shiftedZone === availabilityZone &&
  group.settings.AvailabilityZoneImpairmentPolicy?.ImpairedZoneHealthCheckBehavior === 'IgnoreUnhealthy';

/** What was not replaced while a process was suspended is replaced when it goes on. */
export function replaceAllUnhealthy(world: AutoScalingWorld, members: Iterable<Member>): void {
  for (const member of members) {
    if (member.state !== 'InService') continue;
    if (!isAlive(world.ec2.instances.find(member.instanceId))) checkLater(world, member);
    else if (member.health === 'Unhealthy') replaceUnhealthy(world, member, 'a user health-check');
  }
}

/**
 * With capacity rebalancing a replacement is launched first; the instance goes when that one serves.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-capacity-rebalancing.html
 */
export function rebalanceRecommended(world: AutoScalingWorld, instance: SimulatedInstance): void {
  const member = world.members.get(instance.instanceId);
  if (member?.state !== 'InService' || member.leaving !== undefined) return;
  if (member.group.settings.CapacityRebalance !== true) return;
  const now = utcSeconds(world.clock.now());
  markLeaving(
    world,
    member,
    `At ${now} an instance was taken out of service in response to an EC2 instance rebalance recommendation.`,
  );
}
