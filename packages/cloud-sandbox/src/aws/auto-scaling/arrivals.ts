import { endActivity, progressActivity, utcSeconds } from './activities.ts';
import { terminateMember } from './departures.ts';
import { waitForHooks } from './lifecycle-actions.ts';
import { registerTarget } from './load-balancing.ts';
import { enterState } from './members.ts';
import { scalingEvent } from './messages.ts';
import type { Activity, Member } from './model.ts';
import type { Passage } from './passages.ts';
import type { AutoScalingWorld } from './world.ts';

/** EC2 says that the instance runs: its launch hooks begin, or it goes on at once. */
export function onRunningInEc2(
  world: AutoScalingWorld,
  member: Member,
  arrived: (member: Member) => void,
): void {
  const { passage } = member;
  if (passage === undefined || member.state !== passage.start || isOneOfLeaving(passage)) return;
  progressActivity(member.activity, 'MidLifecycleAction', 40);
  waitForHooks(world, member, {
    passage,
    settled: (result) => {
      if (result === 'ABANDON') rejectLaunch(world, member, passage);
      else proceed(world, member, { passage, arrived });
    },
  });
}

const isOneOfLeaving = (passage: Passage): boolean =>
  passage.transition === 'autoscaling:EC2_INSTANCE_TERMINATING';

/** "The instance is terminated and replaced": the group, one short, launches another. */
function rejectLaunch(world: AutoScalingWorld, member: Member, passage: Passage): void {
  const activity = member.activity;
  endActivity(world, activity, { statusCode: 'Cancelled', message: 'Lifecycle action was abandoned.' });
  if (activity !== undefined) {
    world.putAwsEvent(scalingEvent('EC2 Instance Launch Unsuccessful', activity, { member, passage }));
  }
  const now = utcSeconds(world.clock.now());
  terminateMember(world, member, {
    cause: `At ${now} an instance was taken out of service in response to a failed lifecycle action.`,
  });
}

function proceed(
  world: AutoScalingWorld,
  member: Member,
  on: { readonly passage: Passage; readonly arrived: (member: Member) => void },
): void {
  enterState(world, member, on.passage.proceed);
  world.clock.after(world.timings.stepSeconds * 1000, () => {
    if (member.passage === on.passage && member.state === on.passage.proceed) on.arrived(member);
  });
}

/** Registered with the load balancers, then in service. */
export function enterService(world: AutoScalingWorld, member: Member): void {
  const { activity, passage } = member;
  member.passage = undefined;
  member.protectedFromScaleIn ||= member.group.settings.NewInstancesProtectedFromScaleIn === true;
  registerTarget(world, member);
  enterState(world, member, 'InService');
  endActivity(world, activity, { statusCode: 'Successful' });
  member.activity = undefined;
  announceLaunch(world, { member, activity, passage });
}

export function announceLaunch(
  world: AutoScalingWorld,
  launch: {
    readonly member: Member;
    readonly activity: Activity | undefined;
    readonly passage: Passage | undefined;
  },
): void {
  const { member, activity, passage } = launch;
  if (activity === undefined || passage === undefined) return;
  const instanceArn = `arn:aws:ec2:${world.region}:${world.accountId}:instance/${member.instanceId}`;
  world.putAwsEvent(
    scalingEvent('EC2 Instance Launch Successful', activity, { member, passage, instanceArn }),
  );
}
