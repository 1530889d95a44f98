import type { Clock } from '../base/clock.ts';
import { isRecent } from '../base/is-recent.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import { isManaged, type Role, roleOf } from '../groups/group.ts';
import type { ManagedGroups } from '../intake/membership.ts';

const managedSeconds = 3600;

/**
 * Asks Auto Scaling which groups are managed. The answer yes is remembered for an hour: if it is no longer true, one pass runs, reads
 * the group and stops. The answer no is not remembered: the group may just have got its tags, and otherwise only the next sweep
 * would find its waits.
 */
export function createManagedGroups(options: {
  readonly autoScaling: Pick<AutoScaling, 'describeInstance' | 'describeGroup'>;
  readonly clock: Clock;
  readonly clusterName: string;
}): ManagedGroups {
  const { autoScaling, clock, clusterName } = options;
  const managed = new Map<string, { readonly role: Role | undefined; readonly readAt: number }>();

  const look = async (autoScalingGroupName: string): Promise<Role | undefined> => {
    const group = await autoScaling.describeGroup(autoScalingGroupName);
    if (group === undefined || !isManaged(group, clusterName)) return undefined;
    const role = roleOf(group);
    managed.set(autoScalingGroupName, { role, readAt: clock.now() });
    return role;
  };

  const managedRoleOf = async (autoScalingGroupName: string): Promise<Role | undefined> => {
    const known = managed.get(autoScalingGroupName);
    const isKnown = known && isRecent(known.readAt, { now: clock.now(), seconds: managedSeconds });
    return isKnown ? known.role : await look(autoScalingGroupName);
  };

  return {
    groupOfInstance: async (instanceId) =>
      (await autoScaling.describeInstance(instanceId))?.autoScalingGroupName,
    isManaged: async (autoScalingGroupName) => (await managedRoleOf(autoScalingGroupName)) !== undefined,
    managedRoleOf,
  };
}
