import { readGroups } from '../../../shared/aws/auto-scaling.ts';
import { eksNodegroupOf } from '../../../shared/groups/group.ts';
import type { RollAccess } from '../access.ts';
import type { ChosenNodegroup } from './choose.ts';

/** The managed node group of EKS whose Auto Scaling group has this name; undefined if there is none. */
export async function findNodegroup(
  autoScalingGroupName: string,
  { client, clusterName }: Pick<RollAccess, 'client' | 'clusterName'>,
): Promise<ChosenNodegroup | undefined> {
  const groups = await readGroups(client, clusterName);
  const group = groups.find((one) => one.autoScalingGroupName === autoScalingGroupName);
  const nodegroup = group && eksNodegroupOf(group);
  return nodegroup && { ...nodegroup, group };
}
