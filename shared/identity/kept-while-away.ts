import type { Clock } from '../base/clock.ts';

export interface KeptOptions<Value> {
  readonly clock: Clock;
  readonly read: () => Promise<Value>;
  /** How long nothing is read again, after a reading that failed too. */
  readonly freshSeconds: number;
  /** How long the last value serves while it cannot be read; after that the reading's error is the answer. */
  readonly staleSeconds: number;
  readonly onFailure: (error: unknown) => void;
}

/** A value that is read now and then, and outlives a source that is away for a bounded time. Callers at one time share a reading. */
export function keptWhileAway<Value>(options: KeptOptions<Value>): () => Promise<Value> {
  const { clock, read, freshSeconds, staleSeconds, onFailure } = options;
  let last: { readonly value: Value; readonly until: number } | undefined;
  let readAgainAt = 0;
  let reading: Promise<Value> | undefined;
  const readAnew = async (): Promise<Value> => {
    try {
      const value = await read();
      last = { value, until: clock.now() + staleSeconds * 1000 };
      readAgainAt = clock.now() + freshSeconds * 1000;
      return value;
    } catch (error) {
      if (last === undefined || clock.now() > last.until) throw error;
      // A source that hangs may not cost every caller its time.
      readAgainAt = Math.min(clock.now() + freshSeconds * 1000, last.until + 1);
      onFailure(error);
      return last.value;
    }
  };
  return async () => {
    if (last && clock.now() < readAgainAt) return last.value;
    reading ??= readAnew().finally(() => {
      reading = undefined;
    });
    return await reading;
  };
}
