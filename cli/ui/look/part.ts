import type { TimerClock } from '../../../shared/base/clock.ts';
import { withinTime } from '../../../shared/base/within-time.ts';
import { reasonOf } from '../../status/observe.ts';

/**
 * One part of what the page shows:
 * - `known`: as it is now;
 * - `stale`: as it was at `at`, because the last reading failed;
 * - `unknown`: it was never read.
 */
export type Part<Value> =
  | { readonly kind: 'known'; readonly value: Value }
  | { readonly kind: 'stale'; readonly value: Value; readonly at: number; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The value of a part, old or new; undefined: it is unknown. */
export const valueOf = <Value>(part: Part<Value>): Value | undefined =>
  part.kind === 'unknown' ? undefined : part.value;

/** Shorter than a person waits for the page, longer than a slow answer. */
const longestMilliseconds = 10_000;

export interface PartOptions {
  readonly clock: TimerClock;
  /** How old a value may be before it is read again. Absent: each call reads. */
  readonly maximumAgeSeconds?: number;
}

/**
 * Reads a part again and again. A reading that is denied, fails or takes too long does not fail the caller. A reading that hangs is not
 * started a second time beside itself: the next call waits for the same one.
 */
export function partReader<Input extends readonly unknown[], Value>(
  { clock, maximumAgeSeconds = 0 }: PartOptions,
  read: (...input: Input) => Promise<Value>,
): (...input: Input) => Promise<Part<Value>> {
  let last: { readonly value: Value; readonly at: number } | undefined;
  let running: Promise<Value> | undefined;
  const start = async (input: Input): Promise<Value> => {
    const value = await read(...input);
    last = { value, at: clock.now() };
    return value;
  };
  return async (...input) => {
    if (last && clock.now() - last.at < maximumAgeSeconds * 1000) return { kind: 'known', value: last.value };
    try {
      running ??= start(input).finally(() => {
        running = undefined;
      });
      return { kind: 'known', value: await withinTime(clock, longestMilliseconds, running) };
    } catch (error) {
      const reason = reasonOf(error);
      return last ? { kind: 'stale', ...last, reason } : { kind: 'unknown', reason };
    }
  };
}
