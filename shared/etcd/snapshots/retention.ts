import type { Snapshot } from './names.ts';

export interface RetentionTerms {
  /** So many of the newest are kept, whatever their age; at least one. */
  readonly keep: number;
  /** Of each of the last so many days (UTC), today among them, the newest is kept. */
  readonly days: number;
}

export interface Retention {
  readonly keep: readonly Snapshot[];
  readonly remove: readonly Snapshot[];
}

const dayMilliseconds = 86_400_000;
const dayOf = (time: number): number => Math.floor(time / dayMilliseconds);

/**
 * Which snapshots are kept and which may go. Each cluster has its own count: those of one that was lost are the last that is left of
 * it, and no newer cluster pushes them out. Pure.
 */
export function retention(objects: readonly Snapshot[], now: number, terms: RetentionTerms): Retention {
  const kept = new Set(
    [...new Set(objects.map(({ clusterId }) => clusterId))].flatMap((clusterId) =>
      keptOf(
        objects.filter((object) => object.clusterId === clusterId),
        now,
        terms,
      ),
    ),
  );
  return {
    keep: objects.filter(({ key }) => kept.has(key)),
    remove: objects.filter(({ key }) => !kept.has(key)),
  };
}

function keptOf(
  objects: readonly Snapshot[],
  now: number,
  { keep, days }: RetentionTerms,
): readonly string[] {
  const newestFirst = objects.toSorted((one, other) => other.takenAt - one.takenAt);
  const oldestDay = dayOf(now) - days + 1;
  const newestOfDay = newestFirst.filter(
    ({ takenAt }, index) =>
      dayOf(takenAt) >= oldestDay &&
      newestFirst.findIndex((other) => dayOf(other.takenAt) === dayOf(takenAt)) === index,
  );
  return [...newestFirst.slice(0, Math.max(1, keep)), ...newestOfDay].map(({ key }) => key);
}

/** Clocks differ by so much and no more: what is dated further ahead says nothing about now. */
const skewMilliseconds = 300_000;

/** Whether one of the snapshots was taken within the last `maxAgeSeconds`. Pure. */
export const isFresh = (
  objects: readonly Pick<Snapshot, 'takenAt'>[],
  now: number,
  maxAgeSeconds: number,
): boolean =>
  objects.some(({ takenAt }) => now - takenAt <= maxAgeSeconds * 1000 && takenAt - now <= skewMilliseconds);
