import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { BudgetView } from '../../../ui/state/types.ts';

/** A budget with the numbers of its status. */
export const budgetView = ({ metadata, status }: PodDisruptionBudget): BudgetView => ({
  name: `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`,
  allowed: status?.disruptionsAllowed ?? 0,
  healthy: status?.currentHealthy ?? 0,
  desired: status?.desiredHealthy ?? 0,
  expected: status?.expectedPods ?? 0,
});
