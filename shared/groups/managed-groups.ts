import type { Role } from './group.ts';

/** Which groups are this cluster's, as intake needs to know it. Methods reject where AWS does not answer. */
export interface ManagedGroups {
  /** The group of each instance, fifty ids a call; undefined for an instance that is in no group. */
  groupOfInstances(instanceIds: readonly string[]): Promise<ReadonlyMap<string, string | undefined>>;
  /** Whether the group's tags make it this cluster's. May be an hour old where it is. */
  isManaged(autoScalingGroupName: string): Promise<boolean>;
  /** The role of a managed group, as old as that; undefined for any other group. */
  managedRoleOf(autoScalingGroupName: string): Promise<Role | undefined>;
}
