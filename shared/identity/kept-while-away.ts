import type { Clock, TimerClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { withinTime } from '../base/within-time.ts';

export interface KeptOptions<Value> {
  readonly clock: Clock;
  readonly read: () => Promise<Value>;
  /** How long a value is kept before it is read again, also after a failed read. */
  readonly freshSeconds: number;
  /** How long the last value is used while it cannot be read. After that, callers get the error. */
  readonly staleSeconds: number;
  readonly onFailure: (error: unknown) => void;
}

/** A value that is cached, and kept for a bounded time while its source is unavailable. Concurrent callers share one read. */
export function keptWhileAway<Value>(options: KeptOptions<Value>): () => Promise<Value> {
  const { clock, read, freshSeconds, staleSeconds, onFailure } = options;
  let last: { readonly value: Value; readonly until: number } | undefined;
  let readAgainAt = 0;
  let reading: Promise<Value> | undefined;
  const readAgain = async (): Promise<Value> => {
    try {
      const value = await read();
      last = { value, until: clock.now() + staleSeconds * 1000 };
      readAgainAt = clock.now() + freshSeconds * 1000;
      return value;
    } catch (error) {
      if (last === undefined || clock.now() > last.until) throw error;
      // A source that hangs must not delay every caller.
      readAgainAt = Math.min(clock.now() + freshSeconds * 1000, last.until + 1);
      onFailure(error);
      return last.value;
    }
  };
  return async () => {
    if (last && clock.now() < readAgainAt) return last.value;
    reading ??= readAgain().finally(() => {
      reading = undefined;
    });
    return await reading;
  };
}

/** How long it takes until a change of the mapping or of a secret is seen. The cache of the API server adds to it. */
const freshSeconds = 30;
/** How long a source may be unavailable. After that it admits no identity: an admitted identity may have been removed from it. */
const staleSeconds = 600;
/** The timeout of one read. The API server waits for the whole answer. */
export const longestMilliseconds = 5000;

interface SourceOptions<Value> {
  readonly clock: TimerClock;
  readonly log: Log;
  /** A name for the log: `the mapping`. */
  readonly what: string;
  readonly read: () => Promise<Value>;
}

/** A value that is read with a timeout, and used for ten minutes while it cannot be read. */
export const keptInTime = <Value>({ clock, log, what, read }: SourceOptions<Value>): (() => Promise<Value>) =>
  keptWhileAway({
    clock,
    freshSeconds,
    staleSeconds,
    read: () => withinTime(clock, longestMilliseconds, read()),
    onFailure: (error) => log.error(`${what} cannot be read; its last value is used for ten minutes`, error),
  });
