import type { Snapshot } from './names.ts';

export interface RetentionPolicy {
  /** The number of newest snapshots to keep, whatever their age; at least one. */
  readonly keep: number;
  /** For this many days (UTC) including today, the newest snapshot of each day is kept. */
  readonly days: number;
}

export interface RetentionPlan {
  readonly keep: readonly Snapshot[];
  readonly remove: readonly Snapshot[];
}

const dayMilliseconds = 86_400_000;
const dayOf = (time: number): number => Math.floor(time / dayMilliseconds);

/**
 * Decides which snapshots to keep and which to remove. Each cluster has its own count, so that a newer cluster never removes the
 * last snapshots of a lost one. Pure.
 */
export function planRetention(
  objects: readonly Snapshot[],
  now: number,
  policy: RetentionPolicy,
): RetentionPlan {
  const kept = new Set(
    [...new Set(objects.map(({ clusterId }) => clusterId))].flatMap((clusterId) =>
      keptOf(
        objects.filter((object) => object.clusterId === clusterId),
        now,
        policy,
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
  { keep, days }: RetentionPolicy,
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

/** The largest difference between clocks. A snapshot dated further ahead does not count as fresh. */
const skewMilliseconds = 300_000;

/** Whether one of the snapshots was taken within the last `maxAgeSeconds`. Pure. */
export const isFresh = (
  objects: readonly Pick<Snapshot, 'takenAt'>[],
  now: number,
  maxAgeSeconds: number,
): boolean =>
  objects.some(({ takenAt }) => now - takenAt <= maxAgeSeconds * 1000 && takenAt - now <= skewMilliseconds);
