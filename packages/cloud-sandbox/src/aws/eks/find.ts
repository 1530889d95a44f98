import { eksErrors } from './errors.ts';
import type { Cluster, EksWorld, Nodegroup } from './model.ts';

export function findCluster({ clusters }: EksWorld, name = ''): Cluster {
  const cluster = clusters.get(name);
  if (cluster === undefined) throw eksErrors.noCluster(name);
  return cluster;
}

export function findNodegroup(world: EksWorld, clusterName?: string, name = ''): Nodegroup {
  const nodegroup = findCluster(world, clusterName).nodegroups.get(name);
  if (nodegroup === undefined) throw eksErrors.noNodegroup(name);
  return nodegroup;
}

/** The Auto Scaling group of a node group; undefined once it is deleted. */
export const groupOf = ({ autoScaling }: EksWorld, { autoScalingGroupName }: Nodegroup) =>
  autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: [autoScalingGroupName] })
    .AutoScalingGroups[0];
