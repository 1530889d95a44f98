import type { AutoScaling } from './auto-scaling.ts';
import type { AutoScalingGroup } from './group.ts';

/**
 * The groups with those of these instances that they do not list: DescribeAutoScalingGroups does not show instances in a warm
 * pool or on their way to one, so Auto Scaling is asked for them by their ids.
 */
export async function withWarmPools(
  autoScaling: Pick<AutoScaling, 'describeInstance'>,
  groups: readonly AutoScalingGroup[],
  instanceIds: readonly string[],
): Promise<readonly AutoScalingGroup[]> {
  const listed = new Set(groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
  const unlisted = instanceIds.filter((instanceId) => !listed.has(instanceId));
  const asked = await Promise.all(unlisted.map((instanceId) => autoScaling.describeInstance(instanceId)));
  const found = asked.filter((instance) => instance !== undefined);
  return groups.map((group) => ({
    ...group,
    instances: [
      ...group.instances,
      ...found.filter(({ autoScalingGroupName }) => autoScalingGroupName === group.autoScalingGroupName),
    ],
  }));
}
