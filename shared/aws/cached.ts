import type { Clock } from '../lifecycle/clock.ts';

/** Keeps what was read for a while: for what changes rarely and is asked for by every pass. A failure is not kept. */
export function cached<Key, Value>(options: {
  readonly clock: Clock;
  readonly seconds: number;
  readonly read: (key: Key) => Promise<Value>;
}): (key: Key) => Promise<Value> {
  const entries = new Map<Key, { readonly until: number; readonly value: Promise<Value> }>();
  return (key) => {
    const entry = entries.get(key);
    if (entry !== undefined && options.clock.now() < entry.until) return entry.value;
    const value = options.read(key);
    entries.set(key, { until: options.clock.now() + options.seconds * 1000, value });
    value.catch(() => {
      if (entries.get(key)?.value === value) entries.delete(key);
    });
    return value;
  };
}
