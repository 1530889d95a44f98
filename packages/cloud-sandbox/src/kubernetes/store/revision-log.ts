import type { Clock } from '../../simulation/clock.ts';
import type { Store } from './store.ts';

/** Which revision the store had at a time. */
export interface RevisionLog {
  /** The oldest that is kept where the time is before it. */
  at(milliseconds: number): number;
}

const keptMilliseconds = 3_600_000;

export function createRevisionLog(store: Store, clock: Clock): RevisionLog {
  const entries = [{ at: clock.now(), revision: store.revision }];
  const record = (revision: number): void => {
    const now = clock.now();
    if (entries.at(-1)?.at === now) entries.pop();
    entries.push({ at: now, revision });
    if ((entries[1]?.at ?? now) < now - keptMilliseconds) entries.shift();
  };
  for (const [, collection] of store.all()) collection.subscribe(({ revision }) => record(revision));
  return {
    at: (milliseconds) => (entries.findLast(({ at }) => at <= milliseconds) ?? entries[0])?.revision ?? 0,
  };
}
