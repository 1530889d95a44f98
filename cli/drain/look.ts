import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { budgetsHolding } from '../../shared/draining/budgets.ts';
import { lookUpDaemonSets } from '../../shared/draining/daemon-sets.ts';
import { type DrainPlan, planDrain } from '../../shared/draining/plan-drain.ts';
import { identityOf } from '../../shared/draining/pod-facts.ts';
import type { DrainOptions } from '../../shared/draining/pod-filters.ts';
import { isForbidden } from '../../shared/kubernetes/status.ts';
import type { Consistency, DrainCluster } from '../../shared/nodes/cluster.ts';

export type LookCluster = Pick<
  DrainCluster,
  'listPodsOnNode' | 'lookUpDaemonSet' | 'listPodDisruptionBudgets'
>;

export interface LookInput {
  readonly cluster: LookCluster;
  readonly nodeName: string;
  readonly consistency: Consistency;
  readonly now: number;
  readonly since: number;
  readonly deadline?: number;
  readonly options: DrainOptions;
  /** Whether to read the budgets: a dry run predicts which pods they hold; in a drain the API server answers that. */
  readonly withBudgets: boolean;
  readonly warn: (message: string) => void;
}

/** Looks at the node's pods and plans from what is there. */
export async function look(input: LookInput): Promise<DrainPlan> {
  const { cluster, nodeName } = input;
  const pods = await cluster.listPodsOnNode(nodeName, input.consistency);
  const daemonSets = await lookUpDaemonSets(pods, (namespace, name) =>
    cluster.lookUpDaemonSet(namespace, name),
  );
  const heldBy = input.withBudgets ? await holders(pods, input) : undefined;
  return planDrain({ ...input, pods, daemonSets, ...(heldBy && { heldBy }) });
}

async function holders(
  pods: readonly Pod[],
  { cluster, warn }: LookInput,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const namespaces = [...new Set(pods.map((pod) => identityOf(pod).namespace))];
  const list = async (namespace: string): Promise<readonly PodDisruptionBudget[]> => {
    try {
      return await cluster.listPodDisruptionBudgets(namespace);
    } catch (error) {
      // A user who may drain may lack the right to read budgets; the API server enforces them all the same.
      if (!isForbidden(error)) throw error;
      warn(`the budgets of namespace ${namespace} cannot be read (forbidden): the plan names none of them`);
      return [];
    }
  };
  const budgets = (await Promise.all(namespaces.map(list))).flat();
  return new Map(pods.map((pod) => [identityOf(pod).uid, budgetsHolding(pod, budgets)]));
}
