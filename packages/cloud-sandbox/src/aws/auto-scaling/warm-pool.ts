import { AwsError } from '../service.ts';
import { endActivity, startActivity, utcSeconds } from './activities.ts';
import { announceLaunch } from './arrivals.ts';
import { isRetained, retain, terminateMember } from './departures.ts';
import { launchMember } from './launching.ts';
import { waitForHooks } from './lifecycle-actions.ts';
import { drainTargets } from './load-balancing.ts';
import { enterState, membersWhere } from './members.ts';
import type { Group, Member, WarmPool } from './model.ts';
import { isTerminating, isWarm, passages } from './passages.ts';
import { type AutoScalingWorld, isSuspended } from './world.ts';

/** Members of the pool that are there to stay. */
export const warmMembers = (group: Group): Member[] =>
  group.warmPool === undefined
    ? []
    : membersWhere(
        group,
        ({ state }) => isWarm(state) && !isTerminating(state) && !state.endsWith(':Retained'),
      );

const restingStates = {
  Stopped: 'Warmed:Stopped',
  Running: 'Warmed:Running',
  Hibernated: 'Warmed:Hibernated',
} as const;

const restingState = (pool: WarmPool): (typeof restingStates)[keyof typeof restingStates] =>
  restingStates[pool.PoolState ?? 'Stopped'];

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-warm-pools.html */
function warmPoolSize(group: Group): number {
  const { warmPool } = group;
  if (warmPool === undefined || warmPool.deleting) return 0;
  const prepared = warmPool.MaxGroupPreparedCapacity;
  const capacity = prepared === undefined || prepared < 0 ? group.maximum : prepared;
  return Math.max(warmPool.MinSize ?? 0, capacity - group.desired);
}

/** Launches into the pool what it lacks and terminates what it has too much of. */
export function reconcileWarmPool(world: AutoScalingWorld, group: Group): void {
  if (group.warmPool === undefined) return;
  const members = warmMembers(group);
  const missing = warmPoolSize(group) - members.length;
  if (missing < 0) drop(world, members.slice(missing));
  else if (missing > 0 && mayLaunch(world, group)) fill(world, group, missing);
  if (group.warmPool.deleting && membersWhere(group, ({ state }) => isWarm(state)).length === 0) {
    group.warmPool = undefined;
  }
}

const mayLaunch = (world: AutoScalingWorld, group: Group): boolean =>
  !isSuspended(group, 'Launch') && group.deleting === 'no' && world.clock.now() >= group.launchesResumeAt;

function fill(world: AutoScalingWorld, group: Group, count: number): void {
  const cause = `At ${utcSeconds(world.clock.now())} an instance was started in response to a difference between the desired and actual capacity of the warm pool.`;
  const byZone = new Map<string, number>();
  const add = (zone: string): void => void byZone.set(zone, (byZone.get(zone) ?? 0) + 1);
  for (const { availabilityZone } of warmMembers(group)) add(availabilityZone);
  for (let launched = 0; launched < count; launched++) {
    const member = launchMember(world, group, { cause, passage: passages.launchIntoPool, byZone });
    if (member instanceof AwsError) return;
    add(member.availabilityZone);
  }
}

function drop(world: AutoScalingWorld, members: readonly Member[]): void {
  const cause = `At ${utcSeconds(world.clock.now())} an instance was taken out of the warm pool in response to a difference between desired and actual capacity.`;
  for (const member of members) terminateMember(world, member, { cause });
}

/** The member has passed its hooks on the way into the pool. */
export function enterPool(world: AutoScalingWorld, member: Member): void {
  const { activity, passage, group } = member;
  if (group.warmPool === undefined) {
    terminateMember(world, member, { cause: 'The warm pool was deleted.' });
    return;
  }
  member.passage = undefined;
  const state = restingState(group.warmPool);
  if (state !== 'Warmed:Running') stopInstance(world, member);
  enterState(world, member, state);
  endActivity(world, activity, { statusCode: 'Successful' });
  member.activity = undefined;
  announceLaunch(world, { member, activity, passage });
}

function stopInstance(world: AutoScalingWorld, member: Member): void {
  const instance = world.ec2.instances.find(member.instanceId);
  if (instance?.state === 'running') world.ec2.instances.stop(instance);
}

/** An instance of the pool that can serve now, if there is one: it is quicker than a new one. */
export function takeFromPool(world: AutoScalingWorld, group: Group, cause: string): Member | undefined {
  const member = warmMembers(group).find(({ state }) => isAtRest(state));
  const instance = member && world.ec2.instances.find(member.instanceId);
  if (member === undefined || instance === undefined) return undefined;
  if (instance.state !== 'running' && instance.state !== 'stopped') return undefined;
  member.passage = passages.leavePool;
  enterState(world, member, passages.leavePool.start);
  member.activity = startActivity(world, group, {
    description: `Launching a new EC2 instance from warm pool: ${member.instanceId}`,
    cause,
    place: member,
    statusCode: 'PreInService',
    progress: 30,
  });
  if (instance.state === 'stopped') world.ec2.instances.start(instance);
  return member;
}

const isAtRest = (state: string): boolean => Object.values<string>(restingStates).includes(state);

export const returnsToPool = (group: Group): boolean =>
  group.warmPool?.InstanceReusePolicy?.ReuseOnScaleIn === true && !group.warmPool.deleting;

/**
 * A scale-in that gives the instance back to the pool: a terminating transition with destination WarmPool. Both results
 * of its hooks return it; a retaining group keeps an abandoned one.
 */
export function returnToPool(world: AutoScalingWorld, member: Member, cause: string): void {
  const passage = passages.returnToPool;
  member.passage = passage;
  enterState(world, member, passage.start);
  member.activity = startActivity(world, member.group, {
    description: `Returning EC2 instance to warm pool: ${member.instanceId}`,
    cause,
    place: member,
  });
  drainTargets(world, member, () => {
    if (member.passage !== passage) return;
    waitForHooks(world, member, {
      passage,
      settled: (result) => {
        if (isRetained(member, result)) retain(world, member, passage);
        else enterPool(world, member);
      },
    });
  });
}
