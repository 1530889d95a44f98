import { automatedDefaults } from '../../shared/draining/pod-filters.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import type { CliContext } from '../context.ts';
import { look } from '../drain/look.ts';
import type { LeavingNode } from './plan-room.ts';

/** A cluster of hundreds of nodes is read within seconds, and its API server is not flooded. */
const readsAtOnce = 8;

interface DrainReads {
  readonly cluster: Pick<DrainCluster, 'listPodsOnNode' | 'lookUpDaemonSet' | 'listPodDisruptionBudgets'>;
  readonly clock: CliContext['clock'];
}

/** What Drover drains from each of these nodes, in their order. */
export async function leavingNodes(
  nodeNames: readonly string[],
  { cluster, clock }: DrainReads,
): Promise<readonly LeavingNode[]> {
  const found = new Map<string, LeavingNode>();
  const queue = nodeNames.values();
  const now = clock.now();
  const work = async (): Promise<void> => {
    for (const nodeName of queue) {
      const drain = await look({
        cluster,
        nodeName,
        now,
        since: now,
        consistency: 'cached',
        options: automatedDefaults,
        withBudgets: false,
        warn: () => undefined,
      });
      found.set(nodeName, { nodeName, drain, pods: await cluster.listPodsOnNode(nodeName, 'cached') });
    }
  };
  await Promise.all(Array.from({ length: Math.min(readsAtOnce, nodeNames.length) }, work));
  return nodeNames.flatMap((name) => found.get(name) ?? []);
}
