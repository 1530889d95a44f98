import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { withinTime } from '../base/within-time.ts';
import { type Patience, readPatiently } from './read-patiently.ts';

export interface KeptOptions<Value> {
  readonly clock: Clock;
  readonly read: (kept: Reading<Value> | undefined) => Promise<Value>;
  /** How long a value is kept before it is read again. */
  readonly freshSeconds: number;
  /** How long the last value is used while it cannot be read. After that, callers get the error. */
  readonly staleSeconds: number;
  /** How long a value is used after so many failed reads in a row before it is read again. Defaults to `freshSeconds`. */
  readonly retrySeconds?: (failures: number) => number;
  readonly onFailure: (error: unknown) => void;
}

/** A value, and when its reading began, in epoch milliseconds: what it says was true at that time. */
export interface Reading<Value> {
  readonly value: Value;
  readonly readAt: number;
}

/**
 * A value that is cached, and kept for a bounded time while its source is unavailable. Concurrent callers share one read. A caller that needs a
 * value from `notBefore` on gets an older one if the source is unavailable or has just failed.
 */
export function keptReading<Value>(
  options: KeptOptions<Value>,
): (notBefore?: number) => Promise<Reading<Value>> {
  const { clock, read, freshSeconds, staleSeconds, onFailure } = options;
  const { retrySeconds = () => freshSeconds } = options;
  let last: Reading<Value> | undefined;
  let failures = 0;
  let readAgainAt = 0;
  let reading: Promise<Reading<Value>> | undefined;
  const usable = (): Reading<Value> | undefined =>
    last && clock.now() <= last.readAt + staleSeconds * 1000 ? last : undefined;
  const readAgain = async (): Promise<Reading<Value>> => {
    const readAt = clock.now();
    try {
      last = { value: await read(usable()), readAt };
      failures = 0;
      readAgainAt = 0;
      return last;
    } catch (error) {
      const kept = usable();
      if (kept === undefined) throw error;
      failures += 1;
      // A source that hangs must not delay every caller.
      readAgainAt = Math.min(
        clock.now() + retrySeconds(failures) * 1000,
        kept.readAt + staleSeconds * 1000 + 1,
      );
      onFailure(error);
      return kept;
    }
  };
  /** A clock that was set back would keep the value until it has caught up. Its age is unknown then: it is read again, and kept for its time from now on. */
  const withoutFuture = (now: number): void => {
    if (last === undefined || last.readAt <= now) return;
    last = { ...last, readAt: now - freshSeconds * 1000 };
    readAgainAt = 0;
  };
  return async (notBefore = -Infinity) => {
    const now = clock.now();
    withoutFuture(now);
    const oldest = Math.max(notBefore, now - freshSeconds * 1000 + 1);
    if (last && (last.readAt >= oldest || now < readAgainAt)) return last;
    reading ??= readAgain().finally(() => {
      reading = undefined;
    });
    return await reading;
  };
}

/** Like {@link keptReading}, for callers that need no time. */
export function keptWhileAway<Value>(options: KeptOptions<Value>): () => Promise<Value> {
  const read = keptReading(options);
  return async () => (await read()).value;
}

/** With the two seconds of `readTogether`, how long it takes until a change of the mapping or of a secret is seen. The cache of the API server adds to it. */
const freshSeconds = 28;
/** How long a source may be unavailable. After that it admits no identity: an admitted identity may have been removed from it. */
const staleSeconds = 600;
/** The timeout of one read. The API server waits for the whole answer. */
export const longestMilliseconds = 5000;

interface SourceOptions<Value> {
  readonly patience: Patience;
  readonly log: Log;
  /** A name for the log: `the mapping`. */
  readonly what: string;
  readonly read: () => Promise<Value>;
}

/** A value that is read with a timeout, and used for ten minutes while it cannot be read. */
export const keptInTime = <Value>({
  patience,
  log,
  what,
  read,
}: SourceOptions<Value>): (() => Promise<Value>) =>
  keptWhileAway({
    clock: patience.clock,
    freshSeconds,
    staleSeconds,
    read: (kept) => {
      const inTime = () => withinTime(patience.clock, longestMilliseconds, read());
      return kept === undefined ? readPatiently(patience, inTime) : inTime();
    },
    onFailure: (error) => log.error(`${what} cannot be read; its last value is used for ten minutes`, error),
  });
