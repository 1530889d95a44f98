import type { FunctionWiring } from '../cloud/wiring.ts';

/** The default of an account that has been used for a while; a new one may have 10 (Lambda developer guide, quotas). */
export const usualConcurrency = 1000;

/** Concurrent invocations that functions without reserved concurrency share. Pure. */
export const unreservedOf = (
  limit: number,
  functions: readonly Pick<FunctionWiring, 'reservedConcurrency'>[],
): number => limit - functions.reduce((sum, { reservedConcurrency = 0 }) => sum + reservedConcurrency, 0);

/** Counts invocations against the reserved concurrency of their functions, or against what all others share. */
export interface Concurrency {
  /** False if Lambda throttles the invocation. */
  readonly enter: (wiring: FunctionWiring) => boolean;
  readonly leave: (wiring: FunctionWiring) => void;
  /** Invocations under way. */
  readonly underWay: () => number;
}

/**
 * Reserved concurrency is taken from that of the account, whether it is used or not, and is the maximum of its function too (Lambda
 * developer guide, "Configuring reserved concurrency for a function").
 */
export function createConcurrency(limit: number, functions: readonly FunctionWiring[]): Concurrency {
  const unreserved = unreservedOf(limit, functions);
  const counts = new Map<string, number>();
  const poolOf = ({ functionArn, reservedConcurrency }: FunctionWiring): string =>
    reservedConcurrency === undefined ? '' : functionArn;
  const countIn = (pool: string): number => counts.get(pool) ?? 0;
  return {
    enter: (wiring) => {
      const pool = poolOf(wiring);
      if (countIn(pool) >= (wiring.reservedConcurrency ?? unreserved)) return false;
      counts.set(pool, countIn(pool) + 1);
      return true;
    },
    leave: (wiring) => {
      const pool = poolOf(wiring);
      counts.set(pool, countIn(pool) - 1);
    },
    underWay: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}
