import type { DesiredConfiguration, LaunchTemplateSpecification } from '@aws-sdk/client-auto-scaling';
import type { ResolvedLaunchTemplate } from '../ec2/launch-templates.ts';
import type { Subnet } from '../ec2/network.ts';
import { AwsError } from '../service.ts';
import { autoScalingErrors } from './errors.ts';
import { activeRefresh } from './maintenance-policy.ts';
import type { Group, GroupSettings } from './model.ts';
import { checkWeights } from './weights.ts';
import type { AutoScalingWorld } from './world.ts';

/** Where the group may launch: its subnets, or the default subnet of each of its zones. */
export function placesOf(world: AutoScalingWorld, settings: GroupSettings): Subnet[] {
  const subnetIds = settings.VPCZoneIdentifier?.split(',').filter((id) => id !== '') ?? [];
  if (subnetIds.length > 0) return subnetIds.map((id) => world.ec2.instances.subnet(id.trim()));
  const zones = new Set(settings.AvailabilityZones);
  return world.ec2.instances.subnets().filter(({ availabilityZone }) => zones.has(availabilityZone));
}

export const templateSpecification = (settings: GroupSettings): LaunchTemplateSpecification | undefined =>
  settings.LaunchTemplate ?? settings.MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification;

export const withConfiguration = (
  settings: GroupSettings,
  { LaunchTemplate, MixedInstancesPolicy }: DesiredConfiguration,
): GroupSettings => ({ ...settings, LaunchTemplate, MixedInstancesPolicy });

/**
 * What the group launches now: the desired configuration of an instance refresh "instead of the group's current settings", which become that
 * "after the instance refresh succeeds". https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-refresh-overview.html
 */
export function launchSettings(group: Group): GroupSettings {
  const desired = activeRefresh(group)?.desiredConfiguration;
  return desired === undefined ? group.settings : withConfiguration(group.settings, desired);
}

/** The template that a launch would take now, with the number of its version. Throws the errors of EC2. */
export function currentTemplate(
  world: AutoScalingWorld,
  settings: GroupSettings,
): ResolvedLaunchTemplate | undefined {
  const specification = templateSpecification(settings);
  return specification && world.ec2.instances.resolveLaunchTemplate(specification);
}

/**
 * The settings with the id and the name of their launch template. Throws ValidationError for a group that could not
 * launch anything.
 */
export function launchable(world: AutoScalingWorld, settings: GroupSettings): GroupSettings {
  checkWeights(settings);
  if (settings.LaunchConfigurationName !== undefined || settings.InstanceId !== undefined) {
    throw autoScalingErrors.validation(
      'Launch configurations are not available; use a launch template (as in new AWS accounts).',
    );
  }
  if (templateSpecification(settings) === undefined) {
    throw autoScalingErrors.validation(
      'Valid requests must contain either LaunchTemplate, LaunchConfigurationName, InstanceId or MixedInstancesPolicy parameter.',
    );
  }
  try {
    const template = currentTemplate(world, settings);
    if (placesOf(world, settings).length > 0) return withTemplate(settings, template);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw autoScalingErrors.validation(error.message);
  }
  throw autoScalingErrors.validation('At least one Availability Zone or VPC Subnet is required.');
}

function withTemplate(settings: GroupSettings, template: ResolvedLaunchTemplate | undefined): GroupSettings {
  if (template === undefined) return settings;
  const named = { LaunchTemplateId: template.id, LaunchTemplateName: template.name };
  const { LaunchTemplate, MixedInstancesPolicy: policy } = settings;
  if (LaunchTemplate !== undefined) return { ...settings, LaunchTemplate: { ...LaunchTemplate, ...named } };
  const specification = { ...policy?.LaunchTemplate?.LaunchTemplateSpecification, ...named };
  return {
    ...settings,
    MixedInstancesPolicy: {
      ...policy,
      LaunchTemplate: { ...policy?.LaunchTemplate, LaunchTemplateSpecification: specification },
    },
  };
}

/** Types in the order in which they are tried; undefined: the template's own. */
export function instanceTypesOf(settings: GroupSettings): (string | undefined)[] {
  const overrides = settings.MixedInstancesPolicy?.LaunchTemplate?.Overrides ?? [];
  const types = overrides.map(({ InstanceType }) => InstanceType).filter((type) => type !== undefined);
  return types.length === 0 ? [undefined] : types;
}

/**
 * On-Demand up to the base capacity, then the given share of what is above it.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/mixed-instances-groups-set-up-overview.html
 */
export function nextLifecycle(group: Group): 'spot' | 'on-demand' | undefined {
  const { MixedInstancesPolicy: policy } = launchSettings(group);
  if (policy === undefined) return undefined;
  const distribution = policy.InstancesDistribution;
  const base = distribution?.OnDemandBaseCapacity ?? 0;
  const percentage = distribution?.OnDemandPercentageAboveBaseCapacity ?? 100;
  const total = group.counts.active + 1;
  const wanted = base + Math.ceil((Math.max(0, total - base) * percentage) / 100);
  return group.counts.onDemand < Math.min(total, wanted) ? 'on-demand' : 'spot';
}

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-tagging.html */
export function launchTags(group: Group): Map<string, string> {
  const propagated = [...group.tags.values()].filter(({ propagateAtLaunch }) => propagateAtLaunch);
  return new Map([
    ...propagated.map(({ key, value }) => [key, value] as const),
    ['aws:autoscaling:groupName', group.name] as const,
  ]);
}
