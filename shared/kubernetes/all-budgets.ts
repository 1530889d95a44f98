import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { type ApiOptions, createApi } from './api.ts';
import { budgetSchema, listAll } from './lists.ts';

/**
 * The PodDisruptionBudgets of all namespaces.
 *
 * @throws KubernetesError if the API server does not respond as expected.
 */
export const listAllBudgets = (options: ApiOptions): Promise<readonly PodDisruptionBudget[]> =>
  listAll(createApi(options), { path: '/apis/policy/v1/poddisruptionbudgets', schema: budgetSchema });
