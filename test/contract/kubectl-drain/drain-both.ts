import { join } from 'node:path';
import type { BareCluster } from '@drover/cloud-sandbox/test/contract/kubernetes/bare-cluster.ts';
import type { LookCluster } from '../../../cli/drain/look.ts';
import { clientOf } from '../kubernetes-client/eviction-client.ts';
import { compare, type Disagreement } from './compare.ts';
import { droverPlan, outcomeOf } from './drover.ts';
import type { DrainRun, Flags } from './flags.ts';
import { nodeName } from './furnish.ts';
import { kubectlDrain } from './kubectl.ts';
import type { Outcome } from './outcome.ts';

/** What came of one command on one node. */
export interface DrainComparison {
  readonly node: string;
  readonly flags: Flags;
  readonly outcomes: readonly Outcome[];
  readonly disagreements: readonly Disagreement[];
}

/** Has kubectl drain the nodes of a run, and Drover plan the same. */
export async function drainBoth(
  { controlPlane, api }: BareCluster,
  { flags, nodes }: DrainRun,
): Promise<readonly DrainComparison[]> {
  const nodeNames = nodes.map(nodeName);
  const words = await kubectlDrain({
    kubeconfig: controlPlane.kubeconfig,
    cacheDirectory: join(controlPlane.files.directory, 'kubectl-cache'),
    nodeNames,
    flags,
  });
  const cluster = droverCluster({ controlPlane, api });
  return await Promise.all(
    nodeNames.map(async (node) => {
      const plan = await droverPlan(cluster, node, flags);
      return { node, flags, outcomes: plan.pods.map(outcomeOf), disagreements: compare(plan, words) };
    }),
  );
}

/** With the rights of deploy/rbac.yaml, except that an administrator reads the budgets. */
function droverCluster({ controlPlane, api }: Omit<BareCluster, 'close'>): LookCluster {
  const admin = clientOf(api.admin);
  const drover = clientOf({ ...api.admin, token: controlPlane.droverToken });
  return {
    ...drover,
    listPodDisruptionBudgets: (namespace) => admin.listPodDisruptionBudgets(namespace),
  };
}
