import type { Clock } from '../../base/clock.ts';
import type { EtcdEndpoint, EtcdSnapshots } from '../cluster.ts';
import type { SnapshotBucket, SnapshotContent } from './bucket.ts';
import { snapshotKey } from './names.ts';

export interface TakeSnapshot {
  readonly snapshots: EtcdSnapshots;
  readonly endpoint: EtcdEndpoint;
  readonly bucket: SnapshotBucket;
  readonly clock: Clock;
  /** The prefix of the keys, without a trailing slash. */
  readonly prefix: string;
  readonly clusterId: string;
  readonly revision?: string;
}

export interface TakenSnapshot extends SnapshotContent {
  readonly key: string;
}

/**
 * Streams the database of a member into the bucket. The object is stored only if the stream is complete and its content matches
 * the hash that etcd appends.
 */
export async function takeSnapshot(options: TakeSnapshot): Promise<TakenSnapshot> {
  const { snapshots, endpoint, bucket, clock, prefix, clusterId, revision } = options;
  const name = { clusterId, takenAt: clock.now(), revision };
  const key = snapshotKey(prefix, name);
  const metadata = { 'cluster-id': clusterId, member: endpoint.serverName };
  return { key, ...(await bucket.put({ key, metadata }, snapshots.stream(endpoint))) };
}
