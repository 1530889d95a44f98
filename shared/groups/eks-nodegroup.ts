import type { AutoScalingGroup } from './group.ts';

/** A managed node group of EKS. */
export interface EksNodegroup {
  readonly eksClusterName: string;
  readonly nodegroupName: string;
}

/**
 * The managed node group that a group belongs to, by the tags that EKS gives it; undefined where EKS does not manage the group.
 * Its sizes may be changed through EKS alone: https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html
 */
export function eksNodegroupOf({ tags }: Pick<AutoScalingGroup, 'tags'>): EksNodegroup | undefined {
  const { 'eks:cluster-name': eksClusterName, 'eks:nodegroup-name': nodegroupName } = tags;
  return nodegroupName === undefined ? undefined : { eksClusterName: eksClusterName ?? '', nodegroupName };
}
