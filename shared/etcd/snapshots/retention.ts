import type { Snapshot } from './names.ts';

/**
 * The snapshots that restore takes unless another is named, in their order. It leaves out those in doubt, and those with a lower revision
 * than an earlier one of their cluster: the revision only grows while a cluster lives, so an empty etcd has replaced the cluster, or a
 * member was behind. Pure.
 */
export function restorableAmong(newestFirst: readonly Snapshot[]): readonly Snapshot[] {
  const highest = new Map<string, bigint>();
  const restorable = newestFirst.toReversed().filter(({ clusterId, revision, doubt }) => {
    if (doubt !== undefined) return false;
    if (revision === undefined) return true;
    const before = highest.get(clusterId) ?? 0n;
    const isBehind = BigInt(revision) < before;
    if (!isBehind) highest.set(clusterId, BigInt(revision));
    return !isBehind;
  });
  return restorable.toReversed();
}

export interface RetentionPolicy {
  /** The number of newest snapshots to keep, whatever their age; at least one. */
  readonly keep: number;
  /** For this many days (UTC) including today, the newest snapshot of each day is kept. */
  readonly days: number;
}

interface RetentionPlan {
  readonly keep: readonly Snapshot[];
  readonly remove: readonly Snapshot[];
}

const dayMilliseconds = 86_400_000;
const dayOf = (time: number): number => Math.floor(time / dayMilliseconds);

/**
 * Decides which snapshots to keep and which to remove, by S3's own time. Each cluster has its own count, so that a newer cluster never
 * removes the last snapshots of a lost one, and the newest to restore always stays. Objects in doubt are not counted and stay, so that write access to the bucket is not
 * enough to have snapshots removed. Pure.
 */
export function planRetention(
  objects: readonly Snapshot[],
  now: number,
  policy: RetentionPolicy,
): RetentionPlan {
  const counted = objects.filter(({ doubt }) => doubt === undefined);
  const kept = new Set(
    [...new Set(counted.map(({ clusterId }) => clusterId))].flatMap((clusterId) =>
      keptOf(
        counted.filter((object) => object.clusterId === clusterId),
        now,
        policy,
      ),
    ),
  );
  const isKept = ({ key, doubt }: Snapshot): boolean => doubt !== undefined || kept.has(key);
  return { keep: objects.filter(isKept), remove: objects.filter((object) => !isKept(object)) };
}

function keptOf(
  objects: readonly Snapshot[],
  now: number,
  { keep, days }: RetentionPolicy,
): readonly string[] {
  const newestFirst = objects.toSorted((one, other) => other.storedAt - one.storedAt);
  const oldestDay = dayOf(now) - days + 1;
  const newestOfDay = newestFirst.filter(
    ({ storedAt }, index) =>
      dayOf(storedAt) >= oldestDay &&
      newestFirst.findIndex((other) => dayOf(other.storedAt) === dayOf(storedAt)) === index,
  );
  const newestToRestore = restorableAmong(newestFirst).slice(0, 1);
  return [...newestFirst.slice(0, Math.max(1, keep)), ...newestOfDay, ...newestToRestore].map(
    ({ key }) => key,
  );
}

/** The largest difference between clocks. A snapshot dated further ahead does not count as fresh. */
const skewSeconds = 300;

/** Whether one of the snapshots was taken and stored within the last `maxAgeSeconds`. Pure. */
export const isFresh = (objects: readonly Snapshot[], now: number, maxAgeSeconds: number): boolean =>
  ageSeconds(objects, now) <= maxAgeSeconds;

/** The age of the newest snapshot that is not in doubt; infinite if there is none. Pure. */
export const ageSeconds = (objects: readonly Snapshot[], now: number): number =>
  Math.min(
    ...objects
      .filter(({ doubt }) => doubt === undefined)
      .map(({ takenAt, storedAt }) => (now - Math.min(takenAt, storedAt)) / 1000)
      .filter((age) => age >= -skewSeconds),
  );

/** What the function keeps, and `drover etcd snapshots --prune` unless its flags say otherwise. */
export const defaultRetention: RetentionPolicy = { keep: 48, days: 30 };
