import { endActivity, progressActivity, startActivity } from './activities.ts';
import { abandonWait, waitForHooks } from './lifecycle-actions.ts';
import { drainTargets } from './load-balancing.ts';
import { enterState, removeMember } from './members.ts';
import { scalingEvent } from './messages.ts';
import type { Activity, LifecycleResult, Member } from './model.ts';
import { isTerminating, isWarm, type Passage, passages } from './passages.ts';
import { type AutoScalingWorld, isSuspended } from './world.ts';

/**
 * Begins the end of a member: out of the load balancers, through the termination hooks, gone from EC2, gone from the
 * group. Nothing happens to one that is already going; a retained one goes through its hooks again.
 */
export function terminateMember(
  world: AutoScalingWorld,
  member: Member,
  how: { readonly cause: string; readonly skipHooks?: boolean },
): Activity | undefined {
  if (isTerminating(member.state)) return member.activity;
  const wasServing = member.state === 'InService';
  abandonWait(world, member);
  endActivity(world, member.activity, { statusCode: 'Cancelled' });
  const passage = isWarm(member.state) ? passages.terminateInPool : passages.terminate;
  member.passage = passage;
  enterState(world, member, passage.start);
  const activity = startActivity(world, member.group, {
    description: `Terminating EC2 instance: ${member.instanceId}`,
    cause: how.cause,
    place: member,
  });
  member.activity = activity;
  const go = (): void => throughHooks(world, member, { passage, skipHooks: how.skipHooks === true });
  if (!wasServing) {
    go();
    return activity;
  }
  progressActivity(activity, 'WaitingForELBConnectionDraining', 50);
  drainTargets(world, member, go);
  return activity;
}

/** What passes asynchronously (draining, EC2) counts only for the passage in which it began. */
const isIn = (member: Member, passage: Passage): boolean =>
  member.passage === passage && member.group.members.get(member.instanceId) === member;

function throughHooks(
  world: AutoScalingWorld,
  member: Member,
  way: { readonly passage: Passage; readonly skipHooks: boolean },
): void {
  const { passage } = way;
  if (!isIn(member, passage)) return;
  // Only a deletion by force finds members.
  if (way.skipHooks || member.group.deleting !== 'no') {
    proceed(world, member, passage);
    return;
  }
  progressActivity(member.activity, 'MidLifecycleAction', 60);
  waitForHooks(world, member, {
    passage,
    settled: (result) => {
      if (isRetained(member, result)) retain(world, member, passage);
      else proceed(world, member, passage);
    },
  });
}

/** One that waits on its termination hooks waits no longer. */
export function endTerminationHooks(world: AutoScalingWorld, member: Member): void {
  const { passage, wait } = member;
  if (passage === undefined || wait === undefined || !isTerminating(member.state)) return;
  abandonWait(world, member);
  proceed(world, member, passage);
}

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/configure-instance-retention.html */
export const isRetained = (member: Member, result: LifecycleResult): boolean =>
  result === 'ABANDON' &&
  member.group.settings.InstanceLifecyclePolicy?.RetentionTriggers?.TerminateHookAbandon === 'retain';

/** It stays outside the desired capacity until it is terminated or detached, unless the instance is already dead. */
export function retain(world: AutoScalingWorld, member: Member, passage: Passage): void {
  member.passage = undefined;
  endActivity(world, member.activity, { statusCode: 'Cancelled' });
  enterState(world, member, passage.retained ?? 'Terminating:Retained');
  if (isGone(world, member)) removeMember(world, member);
}

/** EC2 took it while it waited. */
function isGone(world: AutoScalingWorld, { instanceId }: Member): boolean {
  const state = world.ec2.instances.find(instanceId)?.state;
  return state === undefined || state === 'terminated';
}

function proceed(world: AutoScalingWorld, member: Member, passage: Passage): void {
  progressActivity(member.activity, 'InProgress', 80);
  enterState(world, member, passage.proceed);
  world.clock.after(world.timings.stepSeconds * 1000, () => {
    if (!isIn(member, passage)) return;
    const instance = world.ec2.instances.find(member.instanceId);
    if (instance === undefined || isGone(world, member)) departed(world, member);
    else world.ec2.instances.terminate(instance);
  });
}

/** EC2 has terminated the instance and its hooks are through: it leaves the group. */
function departed(world: AutoScalingWorld, member: Member): void {
  const { activity, passage } = member;
  endActivity(world, activity, { statusCode: 'Successful' });
  removeMember(world, member);
  if (activity === undefined || passage === undefined) return;
  const instanceArn = `arn:aws:ec2:${world.region}:${world.accountId}:instance/${member.instanceId}`;
  world.putAwsEvent(
    scalingEvent('EC2 Instance Terminate Successful', activity, { member, passage, instanceArn }),
  );
}

/** Called when EC2 has terminated an instance of a group. */
export function onTerminatedInEc2(world: AutoScalingWorld, member: Member): void {
  if (member.state === member.passage?.proceed && isTerminating(member.state)) departed(world, member);
}

export const mayTerminate = (member: Member): boolean => !isSuspended(member.group, 'Terminate');
