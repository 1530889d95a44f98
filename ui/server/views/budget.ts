import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from 'kubernetes-types/policy/v1.d.ts';
import type { BudgetView } from '../../state/types.ts';

/** A budget with the numbers of its status. */
export function budgetView({ metadata, spec, status }: PodDisruptionBudget): BudgetView {
  const enoughReplicas = enoughReplicasOf(spec);
  const failure = status?.conditions?.find(({ reason }) => reason === 'SyncFailed')?.message;
  return {
    name: `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`,
    allowed: status?.disruptionsAllowed ?? 0,
    healthy: status?.currentHealthy ?? 0,
    desired: status?.desiredHealthy ?? 0,
    expected: status?.expectedPods ?? 0,
    ...(enoughReplicas !== undefined && { enoughReplicas }),
    ...(failure !== undefined && { failure }),
  };
}

/** Percentages of minAvailable are rounded up. A maxUnavailable that allows nothing allows nothing of any number. */
function enoughReplicasOf({ minAvailable }: PodDisruptionBudgetSpec = {}): number | undefined {
  if (typeof minAvailable === 'number') return minAvailable + 1;
  const percent = Number(/^(\d+)%$/.exec(minAvailable ?? '')?.[1] ?? 100);
  return percent < 100 ? Math.ceil(100 / (100 - percent)) : undefined;
}
