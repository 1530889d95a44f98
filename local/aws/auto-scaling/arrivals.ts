import type { SimulatedInstance } from '../ec2/model.ts';
import type { Subnet } from '../ec2/network.ts';
import { AwsError } from '../service.ts';
import { endActivity, progressActivity, startActivity, utcSeconds } from './activities.ts';
import { zonesForLaunch } from './balance.ts';
import { currentTemplate, instanceTypesOf, launchTags, nextLifecycle, placesOf } from './configuration.ts';
import { terminateMember } from './departures.ts';
import { waitForHooks } from './lifecycle-actions.ts';
import { registerTarget } from './load-balancing.ts';
import { addMember, enterState } from './members.ts';
import { scalingEvent } from './messages.ts';
import type { Activity, Group, Member, MemberTemplate } from './model.ts';
import { type Passage, passages } from './passages.ts';
import { type AutoScalingWorld, reconcileSoon } from './world.ts';

export interface Launch {
  readonly cause: string;
  readonly passage?: Passage;
  /** Only there; otherwise in the zone with the fewest instances that has capacity. */
  readonly availabilityZone?: string;
}

const longestRetrySeconds = 900;

/** One launch. When EC2 refuses, the activity fails and the next launches wait. Returns the member or the refusal. */
export function launchMember(world: AutoScalingWorld, group: Group, launch: Launch): Member | AwsError {
  const passage = launch.passage ?? passages.launch;
  const launched = tryPlaces(world, group, launch);
  if (launched instanceof AwsError) {
    refused(world, group, { launch, passage, error: launched });
    return launched;
  }
  group.launchFailures = 0;
  const member = newMember(group, launched, { passage, protectedFromScaleIn: false });
  member.activity = startActivity(world, group, {
    description: `Launching a new EC2 instance: ${member.instanceId}`,
    cause: launch.cause,
    place: member,
    statusCode: 'PreInService',
    progress: 30,
  });
  addMember(world, member);
  return member;
}

function tryPlaces(world: AutoScalingWorld, group: Group, launch: Launch): SimulatedInstance | AwsError {
  let refusal: AwsError | undefined;
  try {
    const launchTemplate = currentTemplate(world, group.settings);
    const tags = launchTags(group);
    for (const place of candidatePlaces(world, group, launch)) {
      for (const instanceType of instanceTypesOf(group.settings)) {
        const request = {
          launchTemplate,
          tags,
          instanceType,
          subnetId: place.subnetId,
          lifecycle: nextLifecycle(group),
        };
        const launched = attempt(() => world.ec2.instances.launch(request));
        if (!(launched instanceof AwsError)) return launched;
        refusal = launched;
      }
    }
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return error;
  }
  return (
    refusal ??
    new AwsError({ code: 'ValidationError', message: 'No Availability Zone is left to launch in.' })
  );
}

function candidatePlaces(world: AutoScalingWorld, group: Group, launch: Launch): Subnet[] {
  const places = placesOf(world, group.settings);
  const wanted = places.filter(
    (place) => launch.availabilityZone === undefined || place.availabilityZone === launch.availabilityZone,
  );
  return zonesForLaunch(wanted, group.counts.byZone);
}

/** Only a lack of capacity lets the next type or zone be tried. */
function attempt(launch: () => SimulatedInstance): SimulatedInstance | AwsError {
  try {
    return launch();
  } catch (error) {
    if (error instanceof AwsError && error.code === 'InsufficientInstanceCapacity') return error;
    throw error;
  }
}

function refused(
  world: AutoScalingWorld,
  group: Group,
  failure: { readonly launch: Launch; readonly passage: Passage; readonly error: AwsError },
): void {
  const { launch, passage, error } = failure;
  const [place] = placesOf(world, group.settings);
  const message = `${error.message} Launching EC2 instance failed.`;
  const activity = startActivity(world, group, {
    description: `Launching a new EC2 instance.  Status Reason: ${message}`,
    cause: launch.cause,
    place: {
      subnetId: place?.subnetId ?? '',
      availabilityZone: launch.availabilityZone ?? place?.availabilityZone ?? '',
    },
  });
  endActivity(world, activity, { statusCode: 'Failed', message });
  world.putAwsEvent(scalingEvent('EC2 Instance Launch Unsuccessful', activity, { passage }));
  const pause = Math.min(world.timings.launchRetrySeconds * 2 ** group.launchFailures, longestRetrySeconds);
  group.launchFailures += 1;
  group.launchesResumeAt = world.clock.now() + pause * 1000;
  world.clock.after(pause * 1000, () => reconcileSoon(world, group));
}

/** An instance as a member in the first state of its passage. */
export function newMember(
  group: Group,
  instance: SimulatedInstance,
  { passage, protectedFromScaleIn }: { readonly passage: Passage; readonly protectedFromScaleIn: boolean },
): Member {
  return {
    instanceId: instance.instanceId,
    group,
    instanceType: instance.instanceType,
    imageId: instance.imageId,
    availabilityZone: instance.subnet.availabilityZone,
    availabilityZoneId: instance.subnet.availabilityZoneId,
    subnetId: instance.subnet.subnetId,
    launchTemplate: templateOf(group, instance),
    lifecycle: instance.lifecycle,
    launchedAt: instance.launchedAt,
    state: passage.start,
    health: 'Healthy',
    protectedFromScaleIn,
    inServiceSince: undefined,
    leaving: undefined,
    passage,
    wait: undefined,
    activity: undefined,
  };
}

function templateOf(group: Group, instance: SimulatedInstance): MemberTemplate | undefined {
  const id = instance.tags.get('aws:ec2launchtemplate:id');
  if (id === undefined) return undefined;
  return {
    LaunchTemplateId: id,
    LaunchTemplateName: group.settings.LaunchTemplate?.LaunchTemplateName ?? '',
    Version: instance.tags.get('aws:ec2launchtemplate:version') ?? '1',
  };
}

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
