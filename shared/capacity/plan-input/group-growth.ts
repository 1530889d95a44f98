import { type AutoScalingGroup, isManaged, isSuspended, roleOf, whyUnits } from '../../groups/group.ts';
import { phaseOf } from '../members.ts';

/** Members of etcd and of the control plane are not added for pods. */
export const isWorkerGroup = (group: AutoScalingGroup, clusterName: string): boolean =>
  isManaged(group, clusterName) && roleOf(group) === 'worker';

/** Why a group cannot grow by a number of nodes, whatever its bounds are; undefined if it can. */
export function whyNoGrowth(group: AutoScalingGroup): string | undefined {
  if (group.isBeingDeleted) return 'Auto Scaling is deleting the group';
  if (isSuspended(group, 'Launch'))
    return 'its process Launch is suspended, so it launches nothing: resume it with `aws autoscaling resume-processes`';
  return whyUnits(group);
}

/**
 * How many nodes more the bounds of a group allow. Instances that terminate, are in Standby or in a warm pool do not count towards its size
 * (Auto Scaling user guide, lifecycle of an instance).
 */
export function mostNewNodesOf({ maxSize, instances }: AutoScalingGroup): number {
  const counting = instances.filter(({ lifecycleState }) =>
    ['pending', 'in-service'].includes(phaseOf(lifecycleState)),
  );
  return Math.max(0, maxSize - counting.length);
}

/** Whether nodes of the group may be of several instance types. Without overrides, the template may select types by attributes. */
export function isMixed({ launchSource: { overrides } = {} }: AutoScalingGroup): boolean {
  if (overrides === undefined) return false;
  const types = new Set(overrides.map(({ instanceType }) => instanceType));
  return types.size !== 1 || types.has(undefined);
}
