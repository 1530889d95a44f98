import type { Clock } from '../base/clock.ts';
import { isRecent } from '../base/is-recent.ts';

export interface TogetherOptions<Value> {
  readonly clock: Clock;
  readonly names: readonly string[];
  /** Reads all of them by one call. What does not exist is left out. */
  readonly read: (names: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
}

/** The first response needs all of them within the time of one call to STS. It adds to how late a change takes effect. */
const sameTimeSeconds = 2;

/**
 * Reads by one call what is needed shortly after each other: each name that was read with another one is given out once, if it is asked for within two
 * seconds. So a new environment costs one read of Parameter Store, whose rate is the tightest at a start of many.
 */
export function readTogether<Value>({
  clock,
  names,
  read,
}: TogetherOptions<Value>): (name: string) => Promise<Value | undefined> {
  let last: { readonly values: ReadonlyMap<string, Value>; readonly readAt: number } | undefined;
  const left = new Set<string>();
  return async (name) => {
    const isOfNow = last && isRecent(last.readAt, { now: clock.now(), seconds: sameTimeSeconds });
    if (last && left.delete(name) && isOfNow) return last.values.get(name);
    const readAt = clock.now();
    const values = await read(names);
    last = { values, readAt };
    left.clear();
    for (const other of names) if (other !== name) left.add(other);
    return values.get(name);
  };
}
