import type { Clock } from '../../base/clock.ts';
import type { EtcdEndpoint, EtcdSnapshots } from '../cluster.ts';
import type { SnapshotBucket } from './bucket.ts';
import { type Snapshot, snapshotsAmong } from './names.ts';
import { isFresh, type RetentionTerms, retention } from './retention.ts';
import { type TakenSnapshot, takeSnapshot } from './take.ts';

/** A healthy member that votes, and the cluster that it belongs to. */
export interface SnapshotSource {
  readonly endpoint: EtcdEndpoint;
  readonly clusterId: string;
}

export interface KeepFresh {
  readonly snapshots: EtcdSnapshots;
  readonly bucket: SnapshotBucket;
  readonly clock: Clock;
  /** Without a slash at its end. */
  readonly prefix: string;
  /** No snapshot is to be older: half as long after one another is taken. */
  readonly maxAgeSeconds: number;
  readonly terms: RetentionTerms;
}

export interface KeptFresh {
  /** Absent where the newest is young enough. */
  readonly taken?: TakenSnapshot;
  readonly removed: readonly string[];
  /** Of the newest that stands now. */
  readonly ageSeconds: number;
}

/** Takes a snapshot when one is due, and then removes what is not kept any more; never the other way round. */
export async function keepSnapshotsFresh(options: KeepFresh, source: SnapshotSource): Promise<KeptFresh> {
  const { bucket, clock, prefix, maxAgeSeconds, terms } = options;
  const all = snapshotsAmong(prefix, await bucket.list(`${prefix}/`));
  const own = all.filter(({ clusterId }) => clusterId === source.clusterId);
  if (isFresh(own, clock.now(), maxAgeSeconds / 2))
    return { removed: [], ageSeconds: ageOf(own, clock.now()) };
  const taken = await takeSnapshot({ ...options, ...source });
  const after = snapshotsAmong(prefix, await bucket.list(`${prefix}/`));
  const removed = retention(after, clock.now(), terms).remove.map(({ key }) => key);
  for (const key of removed) await bucket.remove(key);
  return { taken, removed, ageSeconds: 0 };
}

/** Why a member must not be removed yet; undefined where a snapshot of its cluster is fresh. */
export async function reasonForSnapshot(
  { bucket, clock, prefix, maxAgeSeconds }: Pick<KeepFresh, 'bucket' | 'clock' | 'prefix' | 'maxAgeSeconds'>,
  clusterId: string,
): Promise<string | undefined> {
  const own = snapshotsAmong(prefix, await bucket.list(`${prefix}/${clusterId}/`));
  if (isFresh(own, clock.now(), maxAgeSeconds)) return undefined;
  const newest =
    own.length > 0 ? `the newest snapshot is ${ageOf(own, clock.now())} s old` : 'there is no snapshot';
  return `${newest}, and it is to be at most ${maxAgeSeconds} s old before a member is removed: etcd-snapshot takes one within five minutes`;
}

const ageOf = (own: readonly Snapshot[], now: number): number =>
  Math.round((now - Math.max(...own.map(({ takenAt }) => takenAt))) / 1000);
