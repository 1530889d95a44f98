import type { Clock } from '../../base/clock.ts';
import type { EtcdEndpoint, EtcdSnapshots } from '../cluster.ts';
import type { SnapshotBucket, SnapshotContent } from './bucket.ts';
import { snapshotKey } from './names.ts';

export interface TakeSnapshot {
  readonly snapshots: EtcdSnapshots;
  readonly endpoint: EtcdEndpoint;
  readonly bucket: SnapshotBucket;
  readonly clock: Clock;
  /** What the names of objects begin with, without a slash at its end. */
  readonly prefix: string;
  readonly clusterId: string;
  readonly revision?: string;
}

export interface TakenSnapshot extends SnapshotContent {
  readonly key: string;
}

/**
 * Streams the database of a member into the bucket. The object stands only if all of it came and etcd's own hash at its end is that
 * of what stands before it: whatever breaks leaves none.
 */
export async function takeSnapshot(options: TakeSnapshot): Promise<TakenSnapshot> {
  const { snapshots, endpoint, bucket, clock, prefix, clusterId, revision } = options;
  const name = { clusterId, takenAt: clock.now(), ...(revision !== undefined && { revision }) };
  const key = snapshotKey(prefix, name);
  const metadata = { 'cluster-id': clusterId, member: endpoint.serverName };
  return { key, ...(await bucket.put({ key, metadata }, snapshots.stream(endpoint))) };
}
