import type { Clock } from '../lifecycle/clock.ts';

/**
 * Keeps what was read for a while: for what changes rarely and is asked for by every pass. A failure is not kept, nor is an
 * answer that `keeps` says is none.
 */
export function cached<Key, Value>(options: {
  readonly clock: Clock;
  readonly seconds: number;
  readonly read: (key: Key) => Promise<Value>;
  readonly keeps?: (value: Value) => boolean;
}): (key: Key) => Promise<Value> {
  const entries = new Map<Key, { readonly until: number; readonly value: Promise<Value> }>();
  return (key) => {
    const entry = entries.get(key);
    if (entry !== undefined && options.clock.now() < entry.until) return entry.value;
    const value = options.read(key);
    entries.set(key, { until: options.clock.now() + options.seconds * 1000, value });
    const forget = (): void => {
      if (entries.get(key)?.value === value) entries.delete(key);
    };
    value.then((answer) => (options.keeps?.(answer) === false ? forget() : undefined), forget);
    return value;
  };
}
