import type { PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.d.ts';
import { timestamp } from '../store/object.ts';

/** The condition DisruptionAllowed, kept true to disruptionsAllowed. */
export function withAllowedCondition(
  status: PodDisruptionBudgetStatus,
  now: number,
): PodDisruptionBudgetStatus {
  const allowed = status.disruptionsAllowed > 0;
  const [current] = status.conditions ?? [];
  const wanted = allowed ? 'True' : 'False';
  const unchanged = current?.status === wanted;
  const condition = {
    type: 'DisruptionAllowed',
    status: wanted,
    reason: allowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    lastTransitionTime: unchanged ? current.lastTransitionTime : timestamp(now),
    ...(status.observedGeneration !== undefined && { observedGeneration: status.observedGeneration }),
  };
  return { ...status, conditions: [condition] };
}
