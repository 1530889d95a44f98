import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/message-of.ts';
import type { AutoScalingGroup } from '../../groups/group.ts';
import type { DrainCluster } from '../../nodes/cluster.ts';
import { findFailingNodes, livingNodes } from './failing-nodes.ts';
import { judgeRepairs, type RepairFinding, type Replacements } from './judge-repairs.ts';
import { readRepair } from './settings.ts';

export interface RepairObserver {
  readonly cluster: Pick<DrainCluster, 'listNodes'>;
  /** How many instances of a group health checks have replaced since then (epoch milliseconds), whatever reported them. */
  readonly countReplacements: (autoScalingGroupName: string, since: number) => Promise<number>;
  readonly clock: Clock;
}

export interface FoundRepairs {
  readonly findings: readonly RepairFinding[];
  /** The activities of groups that could not be read: nothing of these groups is repaired. */
  readonly failures: readonly unknown[];
}

const hourMilliseconds = 3_600_000;

/**
 * What should be repaired in these managed groups, and why the rest is not. Reads nothing where no group asks for repair.
 *
 * @throws when the Nodes cannot be listed: then nothing can be judged.
 */
export async function findRepairs(
  { cluster, countReplacements, clock }: RepairObserver,
  groups: readonly AutoScalingGroup[],
): Promise<FoundRepairs> {
  if (groups.every(({ tags }) => readRepair(tags).rules.length === 0)) return { findings: [], failures: [] };
  // The watch cache may be minutes behind, and show a failure that has passed (kubernetes/kubernetes#59848).
  const nodes = await cluster.listNodes('consistent');
  const failing = findFailingNodes(groups, livingNodes(nodes));
  const names = [...new Set(failing.map(({ autoScalingGroupName }) => autoScalingGroupName))];
  const now = clock.now();
  const failures: unknown[] = [];
  const read = async (name: string): Promise<readonly [string, Replacements]> => {
    try {
      return [name, { count: await countReplacements(name, now - hourMilliseconds) }];
    } catch (error) {
      failures.push(error);
      return [name, { unknown: `the activities of its group cannot be read: ${messageOf(error)}` }];
    }
  };
  const replacements = new Map(await Promise.all(names.map(read)));
  return { findings: judgeRepairs({ now, groups, nodes, replacements }), failures };
}
