import type { ClusterApi } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/cluster-api.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { budgetsHolding } from '../../../shared/draining/budgets.ts';

/** By the pod, `NAMESPACE/NAME`. */
export type Verdicts = ReadonlyMap<string, string | undefined>;

/** What Drover expects of the eviction of each pod. */
export async function foretell(api: ClusterApi): Promise<Verdicts> {
  const list = async <T>(path: string): Promise<readonly T[]> => {
    const answer = await api.write({ method: 'GET', path });
    return (answer as { readonly items: readonly T[] }).items;
  };
  const pods = await list<Pod>('/api/v1/pods');
  const budgets = await list<PodDisruptionBudget>('/apis/policy/v1/poddisruptionbudgets');
  return new Map(
    pods.map((pod) => [
      `${pod.metadata?.namespace}/${pod.metadata?.name}`,
      ['goes', 'is held'][budgetsHolding(pod, budgets).length] ?? 'has several budgets',
    ]),
  );
}
