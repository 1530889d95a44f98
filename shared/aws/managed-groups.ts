import type { Clock } from '../base/clock.ts';
import type { AutoScaling } from '../lifecycle/auto-scaling.ts';
import { isManaged } from '../lifecycle/group.ts';
import type { ManagedGroups } from '../lifecycle/managed-groups.ts';

const managedSeconds = 3600;

/**
 * Membership over Auto Scaling. That a group is managed is remembered for an hour: where it no longer is, a pass is made in vain,
 * for it reads the group anew. That it is not is asked for again, for a group may just have got its tags, and a wait that is left
 * alone now would be found by the next sweep only.
 */
export function createManagedGroups(options: {
  readonly autoScaling: Pick<AutoScaling, 'describeInstance' | 'describeGroup'>;
  readonly clock: Clock;
  readonly clusterName: string;
}): ManagedGroups {
  const { autoScaling, clock, clusterName } = options;
  const managedUntil = new Map<string, number>();

  const look = async (autoScalingGroupName: string): Promise<boolean> => {
    const group = await autoScaling.describeGroup(autoScalingGroupName);
    if (group === undefined || !isManaged(group, clusterName)) return false;
    managedUntil.set(autoScalingGroupName, clock.now() + managedSeconds * 1000);
    return true;
  };

  return {
    groupOfInstances: async (instanceIds) => {
      const groupOf = async (id: string): Promise<readonly [string, string | undefined]> => {
        const instance = await autoScaling.describeInstance(id);
        return [id, instance?.autoScalingGroupName];
      };
      return new Map(await Promise.all(instanceIds.map(groupOf)));
    },
    isManaged: async (autoScalingGroupName) =>
      (managedUntil.get(autoScalingGroupName) ?? 0) > clock.now() || (await look(autoScalingGroupName)),
  };
}
