import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { Stored } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import { replicasAskedFor } from './disruption-scales.ts';

export interface BudgetNumbers {
  /** How many pods there should be. */
  readonly expected: number;
  /** How many of them must be healthy. */
  readonly desired: number;
}

/**
 * As the disruption controller counts: a number of minAvailable counts the pods that there are; a percentage, and any
 * maxUnavailable, count the replicas that the pods' controllers ask for. Percentages are rounded up. A budget that says
 * neither expects nothing. With a problem there are no numbers.
 */
export function expectedAndDesired(
  store: Store,
  { spec }: Stored<PodDisruptionBudget>,
  pods: readonly Stored<Pod>[],
): BudgetNumbers | { readonly problem: string } {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable === undefined && minAvailable === undefined) return { expected: 0, desired: 0 };
  if (maxUnavailable === undefined && typeof minAvailable === 'number')
    return { expected: pods.length, desired: minAvailable };
  const expected = replicasAskedFor(store, pods);
  if (typeof expected !== 'number') return expected;
  const desired =
    maxUnavailable === undefined
      ? scaled(minAvailable ?? 0, expected)
      : Math.max(0, expected - scaled(maxUnavailable, expected));
  return { expected, desired };
}

/** A number, or a percentage of `total` rounded up. */
export function scaled(value: number | string, total: number): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value);
  return percent === null ? Number(value) || 0 : Math.ceil((Number(percent[1]) * total) / 100);
}
