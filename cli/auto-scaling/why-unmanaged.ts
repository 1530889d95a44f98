import { type AutoScalingGroup, isManaged } from '../../shared/groups/group.ts';

const roleTag = 'drover.dev/role';

/** Which tag keeps a group from being the cluster's to manage; undefined for one that is. */
export function whyUnmanaged(group: Pick<AutoScalingGroup, 'tags'>, clusterName: string): string | undefined {
  if (isManaged(group, clusterName)) return undefined;
  const ownershipTag = `kubernetes.io/cluster/${clusterName}`;
  const ownership = group.tags[ownershipTag];
  if (ownership === undefined) return `it has no tag ${ownershipTag}`;
  if (ownership !== 'owned' && ownership !== 'shared')
    return `its tag ${ownershipTag} must be owned or shared`;
  return group.tags[roleTag] === undefined
    ? `it has no tag ${roleTag}`
    : `its tag ${roleTag} must be worker, control-plane or etcd`;
}
