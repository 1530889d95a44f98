import { autoScalingErrors } from './errors.ts';
import type { Group, GroupSettings, Member } from './model.ts';

const overridesOf = (settings: GroupSettings) =>
  settings.MixedInstancesPolicy?.LaunchTemplate?.Overrides ?? [];

export const hasWeights = ({ settings }: Pick<Group, 'settings'>): boolean =>
  overridesOf(settings).some(({ WeightedCapacity }) => WeightedCapacity !== undefined);

/**
 * How many units of the desired capacity an instance is. A change of the weights applies to the instances that the group has.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-mixed-instances-groups-instance-weighting.html
 */
export function weightOf({ group, instanceType }: Pick<Member, 'group' | 'instanceType'>): number {
  const override = overridesOf(group.settings).find(({ InstanceType }) => InstanceType === instanceType);
  return Number(override?.WeightedCapacity ?? 1);
}

export const unitsOf = (members: readonly Member[]): number =>
  members.reduce((sum, member) => sum + weightOf(member), 0);

/** Throws ValidationError unless all types of the group have a weight from 1 to 999, or none has. */
export function checkWeights(settings: GroupSettings): void {
  const weights = overridesOf(settings).map(({ WeightedCapacity }) => WeightedCapacity);
  const given = weights.filter((weight) => weight !== undefined);
  if (given.length > 0 && given.length < weights.length) {
    throw autoScalingErrors.validation(
      'If you specify a weight, you must specify it for all instance types.',
    );
  }
  const bad = given.find((weight) => !/^[1-9]\d{0,2}$/.test(weight));
  if (bad !== undefined) {
    throw autoScalingErrors.validation(`WeightedCapacity must be between 1 and 999, but was ${bad}.`);
  }
}
