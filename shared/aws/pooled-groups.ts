import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { messageOf } from '../base/message-of.ts';
import type { AutoScalingGroup } from '../groups/group.ts';
import { warmPoolMembers } from './warm-pools.ts';

/** Groups with the instances of their warm pools. */
export interface PooledGroups {
  readonly groups: readonly AutoScalingGroup[];
  /** The pools that could not be read. */
  readonly warnings: readonly string[];
}

/**
 * Adds the instances of warm pools to their groups: a description of the groups does not list them. It costs no call for a group without a
 * pool. A pool that cannot be read is a warning, because it only adds to what is shown.
 */
export async function withWarmPools(
  groups: readonly AutoScalingGroup[],
  { client }: { readonly client: AutoScalingClient },
): Promise<PooledGroups> {
  const warnings: string[] = [];
  const pooled: AutoScalingGroup[] = [];
  for (const group of groups) {
    if (!group.hasWarmPool) {
      pooled.push(group);
      continue;
    }
    const { autoScalingGroupName, instances } = group;
    try {
      const members = await warmPoolMembers(client, autoScalingGroupName);
      pooled.push({ ...group, instances: [...instances, ...members] });
    } catch (error) {
      pooled.push(group);
      warnings.push(`the warm pool of ${autoScalingGroupName} could not be read: ${messageOf(error)}`);
    }
  }
  return { groups: pooled, warnings };
}
