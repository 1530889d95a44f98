import type { SimulatedInstance } from '../ec2/model.ts';
import type { Subnet } from '../ec2/network.ts';
import { AwsError } from '../service.ts';
import { endActivity, startActivity } from './activities.ts';
import { zonesForLaunch } from './balance.ts';
import {
  currentTemplate,
  instanceTypesOf,
  launchSettings,
  launchTags,
  nextLifecycle,
  placesOf,
  templateSpecification,
} from './configuration.ts';
import { addMember } from './members.ts';
import { scalingEvent } from './messages.ts';
import type { Group, Member, MemberTemplate } from './model.ts';
import { type Passage, passages } from './passages.ts';
import { type AutoScalingWorld, reconcileSoon } from './world.ts';

export interface Launch {
  readonly cause: string;
  readonly passage?: Passage;
  /** Only there; otherwise in the zone with the fewest instances that has capacity. */
  readonly availabilityZone?: string;
  /** How many instances each zone has, where that is not what the group serves with. */
  readonly byZone?: ReadonlyMap<string, number>;
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
    const settings = launchSettings(group);
    const launchTemplate = currentTemplate(world, settings);
    const tags = launchTags(group);
    for (const place of candidatePlaces(world, group, launch)) {
      for (const instanceType of instanceTypesOf(settings)) {
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

/** "Auto Scaling will launch all new capacity requests in the healthy Availability Zones" of a zonal shift (user guide, "Auto Scaling group zonal shift"). */
function candidatePlaces(world: AutoScalingWorld, group: Group, launch: Launch): Subnet[] {
  const places = placesOf(world, group.settings);
  const wanted = places.filter(
    ({ availabilityZone: zone }) => zone !== group.shiftedZone && (launch.availabilityZone ?? zone) === zone,
  );
  return zonesForLaunch(wanted, launch.byZone ?? group.counts.byZone);
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
    LaunchTemplateName: templateName(group, id),
    Version: instance.tags.get('aws:ec2launchtemplate:version') ?? '1',
  };
}

function templateName(group: Group, id: string): string {
  const specification = templateSpecification(launchSettings(group));
  return specification?.LaunchTemplateId === id ? (specification.LaunchTemplateName ?? '') : '';
}
