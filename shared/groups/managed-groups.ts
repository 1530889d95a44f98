import type { Role } from './group.ts';

/** Finds managed groups, as intake needs them. Methods reject if AWS does not answer. */
export interface ManagedGroups {
  /** The group of each instance, with fifty ids in each call; undefined for an instance that is not in a group. */
  groupOfInstances(instanceIds: readonly string[]): Promise<ReadonlyMap<string, string | undefined>>;
  /** Whether the group has the tags of this cluster. `true` may be an hour old. */
  isManaged(autoScalingGroupName: string): Promise<boolean>;
  /** The role of a managed group, which may be an hour old; undefined for any other group. */
  managedRoleOf(autoScalingGroupName: string): Promise<Role | undefined>;
}
