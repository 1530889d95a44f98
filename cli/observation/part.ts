import type { TimerClock } from '../../shared/base/clock.ts';
import { withinTime } from '../../shared/base/within-time.ts';
import type { Seen } from '../../ui/state/types.ts';
import { reasonOf } from '../reason-of.ts';
import { asksForFewerCalls } from './asks-for-fewer-calls.ts';

/** Why a part could not be read. */
export interface Failure {
  readonly reason: string;
  /** The other side asks for fewer calls. */
  readonly isThrottled?: true;
}

/**
 * One part of what the page shows:
 * - `known`: as it is now;
 * - `stale`: as it was at `at`, because the last reading failed;
 * - `unknown`: it was never read.
 */
export type Part<Value> =
  | { readonly kind: 'known'; readonly value: Value }
  | (Failure & { readonly kind: 'stale'; readonly value: Value; readonly at: number })
  | (Failure & { readonly kind: 'unknown' });

/** The value of a part, old or new; undefined: it is unknown. */
export const valueOf = <Value>(part: Part<Value>): Value | undefined =>
  part.kind === 'unknown' ? undefined : part.value;

/** The same part with another value. Pure. */
export const mapPart = <Value, Other>(part: Part<Value>, change: (value: Value) => Other): Part<Other> =>
  part.kind === 'unknown' ? part : { ...part, value: change(part.value) };

/** When a part was read that can no longer be read; without a time if it is current or unknown. Pure. */
export const seenAtOf = (part: Part<unknown>): Seen => (part.kind === 'stale' ? { seenAt: part.at } : {});

/** When the oldest of these parts was read, if none of them is known as it is now. Pure. */
export function oldSince(parts: readonly Part<unknown>[]): number | undefined {
  const times = parts.flatMap((part) => (part.kind === 'stale' ? [part.at] : []));
  return times.length > 0 && parts.every(({ kind }) => kind !== 'known') ? Math.min(...times) : undefined;
}

/** Shorter than users wait for the page, longer than a slow response. */
const longestMilliseconds = 10_000;

export interface PartOptions<Input> {
  readonly clock: TimerClock;
  /** How old a value may be before it is read again; by default each call reads. */
  readonly maximumAgeSeconds?: number;
  /** What the value depends on: a value for one key is not used for another. Undefined if it depends on nothing. */
  readonly keyOf?: (input: Input) => string;
}

interface Reading<Value> {
  readonly key: string;
  readonly value: Value;
  /** When it was asked for. */
  readonly at: number;
}

/**
 * Reads a part again and again. A reading that is denied, fails or takes too long does not fail the caller. A reading that hangs is not
 * started a second time beside itself: the next call waits for the same one.
 */
export function partReader<Input extends readonly unknown[], Value>(
  { clock, maximumAgeSeconds = 0, keyOf = () => '' }: PartOptions<Input>,
  read: (...input: Input) => Promise<Value>,
): (...input: Input) => Promise<Part<Value>> {
  let last: Reading<Value> | undefined;
  let running: { readonly key: string; readonly reading: Promise<Reading<Value>> } | undefined;
  const start = async (key: string, input: Input): Promise<Reading<Value>> => {
    const at = clock.now();
    const reading = { key, value: await read(...input), at };
    last = reading;
    return reading;
  };
  /** One that runs for another key ends first. */
  const readingOf = async (key: string, input: Input): Promise<Reading<Value>> => {
    if (running && running.key !== key) await Promise.allSettled([running.reading]);
    running ??= {
      key,
      reading: start(key, input).finally(() => {
        running = undefined;
      }),
    };
    return await running.reading;
  };
  const isNew = (key: string): boolean => {
    if (last === undefined || last.key !== key) return false;
    const age = clock.now() - last.at;
    return age >= 0 && age < maximumAgeSeconds * 1000;
  };
  return async (...input) => {
    const key = keyOf(input);
    if (last && isNew(key)) return { kind: 'known', value: last.value };
    try {
      const { value } = await withinTime(clock, longestMilliseconds, readingOf(key, input));
      return { kind: 'known', value };
    } catch (error) {
      const failure = {
        reason: reasonOf(error),
        ...(asksForFewerCalls(error) && { isThrottled: true as const }),
      };
      return last
        ? { kind: 'stale', value: last.value, at: last.at, ...failure }
        : { kind: 'unknown', ...failure };
    }
  };
}
