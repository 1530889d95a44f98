import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { OptionalList } from '../capacity/plan-input/plan-cluster.ts';
import { type ApiOptions, createApi } from './api.ts';
import { budgetSchema, listAll } from './lists.ts';
import { servedVersion } from './served-version.ts';
import { isForbidden } from './status.ts';

/**
 * The PodDisruptionBudgets of all namespaces.
 *
 * @throws KubernetesError if the API server does not respond as expected.
 */
export async function listAllBudgets(options: ApiOptions): Promise<readonly PodDisruptionBudget[]> {
  const api = createApi(options);
  const withBudgets = servedVersion(api, { group: 'policy', plural: 'poddisruptionbudgets' });
  return await withBudgets((version) =>
    listAll(api, { path: `/apis/policy/${version}/poddisruptionbudgets`, schema: budgetSchema }),
  );
}

/**
 * The same; `absent` for an identity that may not list them.
 *
 * @throws KubernetesError if the API server does not respond as expected.
 */
export async function listBudgetsIfAllowed(options: ApiOptions): Promise<OptionalList<PodDisruptionBudget>> {
  try {
    return { status: 'read', items: await listAllBudgets(options) };
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return { status: 'absent', reason: 'forbidden' };
  }
}
