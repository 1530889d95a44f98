import type { Clock } from '../base/clock.ts';

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
