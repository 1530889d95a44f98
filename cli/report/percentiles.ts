/** Of measured values: how many there are, and three of them. */
export interface Percentiles {
  readonly n: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/**
 * Percentiles by nearest rank: the smallest value that at least so many percent of the values do not exceed. Each is a value that was measured. Of
 * fewer than 20 values p95 is the largest one, so `n` belongs to it. Undefined without values. Pure.
 */
export function percentilesOf(values: readonly number[]): Percentiles | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const max = sorted.at(-1);
  if (max === undefined) return undefined;
  const at = (percent: number): number =>
    sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? max;
  return { n: sorted.length, p50: at(50), p95: at(95), max };
}
