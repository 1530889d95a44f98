import type { EtcdCluster, EtcdEndpoint } from '../cluster.ts';
import { EtcdError } from '../cluster.ts';
import { snapshotsAmong } from './names.ts';
import { isFresh } from './retention.ts';
import { type TakenSnapshot, type TakeSnapshot, takeSnapshot } from './take.ts';

export interface EnsureSnapshot extends Pick<TakeSnapshot, 'snapshots' | 'bucket' | 'clock' | 'prefix'> {
  readonly cluster: Pick<EtcdCluster, 'status'>;
  /** A snapshot of this cluster that is not older will do. */
  readonly maxAgeSeconds: number;
}

/**
 * Sees to it that there is a fresh snapshot of the cluster that a member belongs to; gives the one that it took, or undefined where
 * one was there.
 */
export async function ensureSnapshot(
  options: EnsureSnapshot,
  endpoint: EtcdEndpoint,
): Promise<TakenSnapshot | undefined> {
  const { bucket, clock, cluster, maxAgeSeconds, prefix } = options;
  const status = await cluster.status(endpoint);
  if (status.kind === 'silent')
    throw new EtcdError('other', `no snapshot can be taken of ${endpoint.serverName}: ${status.message}`);
  const { clusterId } = status;
  const there = snapshotsAmong(prefix, await bucket.list(`${prefix}/${clusterId}/`));
  if (isFresh(there, clock.now(), maxAgeSeconds)) return undefined;
  return await takeSnapshot({ ...options, endpoint, clusterId });
}
