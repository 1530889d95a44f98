import type { Clock } from '../base/clock.ts';
import type { AutoScaling } from '../lifecycle/auto-scaling.ts';
import { isManaged } from '../lifecycle/group.ts';
import type { ManagedGroups } from '../lifecycle/managed-groups.ts';

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
