import type { Clock } from '../../base/clock.ts';
import type { EtcdEndpoint, EtcdSnapshots } from '../cluster.ts';
import type { SnapshotBucket } from './bucket.ts';
import { type Snapshot, snapshotsAmong } from './names.ts';
import { isFresh, planRetention, type RetentionPolicy } from './retention.ts';
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
  /** Without a trailing slash. */
  readonly prefix: string;
  /** The newest snapshot should never be older. The next one is taken at half of this age. */
  readonly maxAgeSeconds: number;
  readonly retention: RetentionPolicy;
}

export interface KeptFresh {
  /** Absent if no snapshot was due. */
  readonly taken?: TakenSnapshot;
  readonly removed: readonly string[];
  /** The age of the newest snapshot. */
  readonly ageSeconds: number;
}

/** Takes a snapshot if one is due, and only then removes those that the policy does not keep. */
export async function keepSnapshotsFresh(options: KeepFresh, source: SnapshotSource): Promise<KeptFresh> {
  const { bucket, clock, prefix, maxAgeSeconds, retention } = options;
  const all = snapshotsAmong(prefix, await bucket.list(`${prefix}/`));
  const own = all.filter(({ clusterId }) => clusterId === source.clusterId);
  if (isFresh(own, clock.now(), maxAgeSeconds / 2))
    return { removed: [], ageSeconds: ageOf(own, clock.now()) };
  const taken = await takeSnapshot({ ...options, ...source });
  const after = snapshotsAmong(prefix, await bucket.list(`${prefix}/`));
  const removed = planRetention(after, clock.now(), retention).remove.map(({ key }) => key);
  for (const key of removed) await bucket.remove(key);
  return { taken, removed, ageSeconds: 0 };
}

/** Why a member must not be removed yet; undefined if a snapshot of its cluster is fresh. */
export async function staleSnapshotReason(
  { bucket, clock, prefix, maxAgeSeconds }: Pick<KeepFresh, 'bucket' | 'clock' | 'prefix' | 'maxAgeSeconds'>,
  clusterId: string,
): Promise<string | undefined> {
  const own = snapshotsAmong(prefix, await bucket.list(`${prefix}/${clusterId}/`));
  if (isFresh(own, clock.now(), maxAgeSeconds)) return undefined;
  const newest =
    own.length > 0 ? `the newest snapshot is ${ageOf(own, clock.now())} s old` : 'there is no snapshot';
  return `${newest}, and a removal needs one of at most ${maxAgeSeconds} s: etcd-snapshot takes one within five minutes`;
}

const ageOf = (own: readonly Snapshot[], now: number): number =>
  Math.round((now - Math.max(...own.map(({ takenAt }) => takenAt))) / 1000);
