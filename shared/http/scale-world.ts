import type { ClusterNodes } from '../capacity/cluster-nodes.ts';
import type { Groups } from '../capacity/groups.ts';
import { type AutoScalingGroup, isManaged, type Role, roleOf } from '../lifecycle/group.ts';
import { ProblemError } from './problem.ts';

/** What the routes of the scale API stand on. */
export interface ScaleWorld {
  readonly clusterName: string;
  readonly groups: Groups;
  readonly cluster: ClusterNodes;
}

/** A group of this cluster: tagged as its own, and with a role. */
export interface ManagedGroup extends AutoScalingGroup {
  readonly role: Role;
}

/** Every managed group, by name. */
export async function listManagedGroups({ groups, clusterName }: ScaleWorld): Promise<ManagedGroup[]> {
  const tagged = await groups.listGroups();
  return tagged
    .flatMap((group) => asManaged(group, clusterName) ?? [])
    .sort((one, other) => one.autoScalingGroupName.localeCompare(other.autoScalingGroupName));
}

/**
 * The group of that name, if it is managed. Somebody else's group is told of in the very words of one that is not there.
 *
 * @throws ProblemError with status 404.
 */
export async function findManagedGroup(
  { groups, clusterName }: ScaleWorld,
  name: string | undefined,
): Promise<ManagedGroup> {
  const group = name === undefined ? undefined : await groups.describeGroup(name);
  const managed = group && asManaged(group, clusterName);
  if (managed) return managed;
  throw new ProblemError({
    code: 'group-not-found',
    detail: `no group of that name is tagged kubernetes.io/cluster/${clusterName} and drover.dev/role`,
  });
}

function asManaged(group: AutoScalingGroup, clusterName: string): ManagedGroup | undefined {
  const role = roleOf(group);
  return role !== undefined && isManaged(group, clusterName) ? { ...group, role } : undefined;
}
