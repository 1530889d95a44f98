import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { matchesLabels, requirementsOf } from './label-selector.ts';
import { identityOf, isFinished, isReady, terminatesAt } from './pod-facts.ts';

/**
 * The budgets in the namespace of a pod that select it, as in policy/v1: an empty selector selects every pod, a missing or invalid one
 * selects none.
 */
export function budgetsOf(pod: Pod, budgets: readonly PodDisruptionBudget[]): readonly PodDisruptionBudget[] {
  return budgets.filter((budget) => selects(budget, pod));
}

function selects(budget: PodDisruptionBudget, pod: Pod): boolean {
  if ((budget.metadata?.namespace ?? 'default') !== identityOf(pod).namespace) return false;
  const selector = budget.spec?.selector;
  const requirements = selector ? requirementsOf(selector) : undefined;
  return requirements !== undefined && matchesLabels(pod.metadata?.labels, requirements);
}

/**
 * The names of the budgets that would refuse the eviction of the pod now, as in the API server's eviction subresource
 * (pkg/registry/core/pod/storage/eviction.go). Two budgets for one pod always refuse it, whatever they allow.
 */
export function budgetsHolding(pod: Pod, budgets: readonly PodDisruptionBudget[]): readonly string[] {
  if (bypassesBudgets(pod)) return [];
  const selecting = budgetsOf(pod, budgets);
  const holding = selecting.length > 1 ? selecting : selecting.filter((budget) => refuses(budget, pod));
  return holding.map((budget) => budget.metadata?.name ?? '').toSorted();
}

const bypassesBudgets = (pod: Pod): boolean =>
  isFinished(pod) || pod.status?.phase === 'Pending' || terminatesAt(pod) !== undefined;

function refuses(budget: PodDisruptionBudget, pod: Pod): boolean {
  if (!isReady(pod) && letsUnhealthyGo(budget)) return false;
  const status = budget.status;
  const isObserved = (status?.observedGeneration ?? 0) >= (budget.metadata?.generation ?? 0);
  return !isObserved || (status?.disruptionsAllowed ?? 0) <= 0;
}

function letsUnhealthyGo({ spec, status }: PodDisruptionBudget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const desired = status?.desiredHealthy ?? 0;
  return desired > 0 && (status?.currentHealthy ?? 0) >= desired;
}
