import type { PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.d.ts';
import { timestamp } from '../store/object.ts';

/** The condition DisruptionAllowed, kept true to disruptionsAllowed. */
export function withAllowedCondition(
  status: PodDisruptionBudgetStatus,
  now: number,
): PodDisruptionBudgetStatus {
  const allowed = status.disruptionsAllowed > 0;
  const reason = allowed ? 'SufficientPods' : 'InsufficientPods';
  return withDisruptionAllowed(status, { allowed, reason, message: '', now });
}

/** Nothing is allowed while the controller cannot count. */
export const withFailure = (
  status: PodDisruptionBudgetStatus,
  message: string,
  now: number,
): PodDisruptionBudgetStatus =>
  withDisruptionAllowed(
    { ...status, disruptionsAllowed: 0 },
    { allowed: false, reason: 'SyncFailed', message, now },
  );

interface Disruption {
  readonly allowed: boolean;
  readonly reason: string;
  readonly message: string;
  readonly now: number;
}

function withDisruptionAllowed(
  status: PodDisruptionBudgetStatus,
  { allowed, reason, message, now }: Disruption,
): PodDisruptionBudgetStatus {
  const [current] = status.conditions ?? [];
  const wanted = allowed ? 'True' : 'False';
  const unchanged = current?.status === wanted;
  const condition = {
    type: 'DisruptionAllowed',
    status: wanted,
    reason,
    message,
    lastTransitionTime: unchanged ? current.lastTransitionTime : timestamp(now),
    ...(status.observedGeneration !== undefined && { observedGeneration: status.observedGeneration }),
  };
  return { ...status, conditions: [condition] };
}
