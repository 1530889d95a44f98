import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { PlanCluster } from '../../shared/capacity/plan-input/plan-cluster.ts';
import { readPlanInput } from '../../shared/capacity/plan-input/read-plan-input.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { listAllBudgets } from '../../shared/kubernetes/all-budgets.ts';
import { createPlanCluster } from '../../shared/kubernetes/plan-cluster.ts';
import { isForbidden } from '../../shared/kubernetes/status.ts';
import type { PreflightCluster } from '../../shared/roll/preflight.ts';
import { strandedPodsOf } from '../../shared/roll/stranded-pods.ts';
import { connectionsTo } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import type { RollAccessFlags } from './access-flags.ts';

/** The cluster as a preflight sees it. */
export interface ReadCluster extends PreflightCluster {
  readonly nodes: readonly Node[];
  /** What is not known, each with its consequence. */
  readonly warnings: readonly string[];
}

/**
 * Reads the Nodes, pods and budgets of the cluster.
 *
 * @param groups all groups of the cluster, whose instances the Nodes are
 * @throws KubernetesError if the Nodes or the pods cannot be read: a node without its pods would look empty.
 */
export async function readCluster(
  groups: readonly AutoScalingGroup[],
  clusterName: string,
  flags: RollAccessFlags,
  context: CliContext,
): Promise<ReadCluster> {
  const api = {
    connections: connectionsTo(flags, context),
    sendHttp: context.sendHttp,
    clock: context.clock,
  };
  const kept = keeping(createPlanCluster(api));
  const [input, { budgets, warnings }] = await Promise.all([
    readPlanInput({
      cluster: kept.cluster,
      // No group grows in this plan: a node of the same kind replaces each.
      launches: { readLaunches: () => Promise.resolve(new Map()) },
      growing: new Set(),
      groups,
      clusterName,
    }),
    readBudgets(() => listAllBudgets(api)),
  ]);
  return {
    nodes: kept.nodes(),
    pods: kept.pods(),
    budgets,
    strandedOn: (nodeName) => strandedPodsOf(nodeName, input.nodes),
    warnings: [...warnings, ...input.warnings],
  };
}

/** Keeps the Nodes and pods that a plan reduces as it reads them. A list that is read again replaces what was kept of it. */
function keeping(cluster: PlanCluster) {
  const nodes = new Map<string, Node>();
  const pods = new Map<string, Pod>();
  return {
    cluster: {
      ...cluster,
      listNodes: (reduce) =>
        cluster.listNodes((node) => {
          nodes.set(node.metadata?.uid ?? '', node);
          return reduce(node);
        }),
      listPods: (reduce) =>
        cluster.listPods((pod) => {
          if (pod.spec?.nodeName) pods.set(pod.metadata?.uid ?? '', pod);
          return reduce(pod);
        }),
    } satisfies PlanCluster,
    nodes: (): readonly Node[] => [...nodes.values()],
    pods: (): readonly Pod[] => [...pods.values()],
  };
}

async function readBudgets(
  list: () => Promise<readonly PodDisruptionBudget[]>,
): Promise<{ readonly budgets: readonly PodDisruptionBudget[]; readonly warnings: readonly string[] }> {
  try {
    return { budgets: await list(), warnings: [] };
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return {
      budgets: [],
      warnings: ['the budgets may not be read: pods that they hold are not named'],
    };
  }
}
