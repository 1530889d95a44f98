import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type AutoScalingGroup, isManaged, roleOf } from '../groups/group.ts';
import { missingReplacements } from './concurrency-limit.ts';

/**
 * The managed groups of the group's role, from a list that may be older than the group. The instances of a control plane form one quorum, also
 * if each zone has a group of its own.
 */
export function groupsOfSameRole(
  listed: readonly AutoScalingGroup[],
  group: AutoScalingGroup,
  clusterName: string,
): readonly AutoScalingGroup[] {
  const same = listed.filter((one) => isManaged(one, clusterName) && roleOf(one) === roleOf(group));
  const isListed = same.some((one) => one.autoScalingGroupName === group.autoScalingGroupName);
  return isListed ? same : [...same, group];
}

/**
 * How many more instances of these groups have to serve before this one may leave. An instance that one group has too many does not count for
 * another: its own group takes it away again. Pure.
 */
export const missingInRole = (
  groups: readonly AutoScalingGroup[],
  {
    autoScalingGroupName,
    instanceId,
  }: { readonly autoScalingGroupName: string; readonly instanceId: string },
  nodes: readonly Node[],
): number =>
  groups.reduce((sum, one) => {
    const isOwn = one.autoScalingGroupName === autoScalingGroupName;
    return sum + missingReplacements({ group: one, nodes, ...(isOwn && { instanceId }) });
  }, 0);
