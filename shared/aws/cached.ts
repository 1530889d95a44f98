import type { Clock } from '../base/clock.ts';

/**
 * Keeps what was read for a while, for things that change rarely and that every pass reads. It keeps no failure, and no answer
 * that `keeps` rejects. With `notBefore` (epoch milliseconds) a caller refuses answers that were read earlier.
 */
export function cached<Key, Value>(options: {
  readonly clock: Clock;
  readonly seconds: number;
  readonly read: (key: Key) => Promise<Value>;
  readonly keeps?: (value: Value) => boolean;
}): (key: Key, notBefore?: number) => Promise<Value> {
  const entries = new Map<Key, { readonly readAt: number; readonly value: Promise<Value> }>();
  return (key, notBefore = -Infinity) => {
    const entry = entries.get(key);
    const oldest = Math.max(notBefore, options.clock.now() - options.seconds * 1000 + 1);
    if (entry !== undefined && entry.readAt >= oldest) return entry.value;
    const value = options.read(key);
    entries.set(key, { readAt: options.clock.now(), value });
    const forget = (): void => {
      if (entries.get(key)?.value === value) entries.delete(key);
    };
    value.then((answer) => (options.keeps?.(answer) === false ? forget() : undefined), forget);
    return value;
  };
}
