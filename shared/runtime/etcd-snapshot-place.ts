import { s3Client } from '../aws/s3-client.ts';
import { createSnapshotBucket } from '../aws/snapshot-bucket.ts';
import type { SnapshotBucket } from '../etcd/snapshots/bucket.ts';
import { awsConnection } from './aws-connection.ts';
import { ConfigError, readConfig } from './config.ts';
import type { Host } from './host.ts';

/** Where snapshots are kept, and how old the newest may be. */
export interface SnapshotPlace {
  readonly bucket: SnapshotBucket;
  readonly prefix: string;
  readonly maxAgeSeconds: number;
}

const pattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([\w!.*'()/-]*[\w!.*'()-])$/;

/**
 * Where this deployment keeps its snapshots; undefined if backups are kept elsewhere.
 *
 * @throws ConfigError if the setting is neither.
 */
export function snapshotPlace(host: Host): SnapshotPlace | undefined {
  const { etcdSnapshots, etcdSnapshotBucketOwner, etcdSnapshotKeyId, etcdSnapshotMaxAgeSeconds } = readConfig(
    host.environment,
    ['etcdSnapshots', 'etcdSnapshotBucketOwner', 'etcdSnapshotKeyId', 'etcdSnapshotMaxAgeSeconds'],
  );
  if (etcdSnapshots === 'elsewhere') return undefined;
  const address = parseSnapshotAddress(etcdSnapshots);
  if (!address)
    throw new ConfigError([
      'DROVER_ETCD_SNAPSHOTS is not set: Drover removes a member only if a snapshot is fresh; set s3://BUCKET/PREFIX, or elsewhere if something else keeps backups',
    ]);
  const bucket = createSnapshotBucket({
    client: s3Client(awsConnection(host)),
    bucket: address.bucket,
    ...(etcdSnapshotBucketOwner && { owner: etcdSnapshotBucketOwner }),
    ...(etcdSnapshotKeyId && { kmsKeyId: etcdSnapshotKeyId }),
  });
  return { bucket, prefix: address.prefix, maxAgeSeconds: etcdSnapshotMaxAgeSeconds };
}

/** The bucket and the prefix of `s3://BUCKET/PREFIX`; undefined for any other text. */
export function parseSnapshotAddress(
  text: string,
): { readonly bucket: string; readonly prefix: string } | undefined {
  const [, bucket, prefix] = pattern.exec(text) ?? [];
  return bucket && prefix ? { bucket, prefix } : undefined;
}
