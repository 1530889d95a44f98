import { s3Client } from '../../../shared/aws/s3-client.ts';
import { createSnapshotBucket } from '../../../shared/aws/snapshot-bucket.ts';
import type { SnapshotBucket } from '../../../shared/etcd/snapshots/bucket.ts';
import { type Snapshot, snapshotsAmong } from '../../../shared/etcd/snapshots/names.ts';
import { restorableAmong } from '../../../shared/etcd/snapshots/retention.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { parseSnapshotAddress } from '../../../shared/runtime/etcd-snapshot-place.ts';
import type { CliContext } from '../../context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { environmentOf, hostOf } from '../../host.ts';
import type { BucketFlags } from './flags.ts';

export interface SnapshotStore {
  readonly bucket: SnapshotBucket;
  /** Without a slash at its end. */
  readonly prefix: string;
  readonly clusterName: string;
  /** `s3://BUCKET/PREFIX`, where all of it is. */
  readonly address: string;
}

/** @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet. */
export function snapshotStore(flags: BucketFlags, context: CliContext): SnapshotStore {
  const environment = environmentOf(flags, context);
  const { clusterName } = readConfig(environment, ['clusterName']);
  const address = addressOf(flags, environment);
  const bucket = createSnapshotBucket({
    client: s3Client(awsConnection(hostOf(context, environment))),
    bucket: address.bucket,
    ...(flags.bucketOwner !== undefined && { owner: flags.bucketOwner }),
    ...(flags.kmsKey !== undefined && { kmsKeyId: flags.kmsKey }),
  });
  const prefix = flags.prefix?.replace(/(?<!\/)\/+$/, '') ?? address.prefix ?? `drover/${clusterName}/etcd`;
  return { bucket, prefix, clusterName, address: `s3://${address.bucket}/${prefix}` };
}

/** The bucket of the flag, or the one that the function uses, with the function's prefix. */
function addressOf(
  { bucket }: BucketFlags,
  { DROVER_ETCD_SNAPSHOTS: ofFunction = '' }: Readonly<Record<string, string | undefined>>,
): { readonly bucket: string; readonly prefix?: string } {
  if (bucket !== undefined) return { bucket };
  const address = parseSnapshotAddress(ofFunction);
  if (address) return address;
  throw new CliError(
    'no bucket: give --bucket, or set DROVER_ETCD_SNAPSHOTS to s3://BUCKET/PREFIX as the function has it',
    exitCodes.usage,
  );
}

/** Newest first. */
export async function listSnapshots({ bucket, prefix }: SnapshotStore): Promise<readonly Snapshot[]> {
  return snapshotsAmong(prefix, await bucket.list(`${prefix}/`));
}

/**
 * The named snapshot, or the newest that no earlier one of its cluster overtakes; with several clusters under one prefix the flag must
 * name one.
 *
 * @throws CliError
 */
export function chooseSnapshot(
  snapshots: readonly Snapshot[],
  { key, clusterId }: { readonly key?: string | undefined; readonly clusterId?: string | undefined },
): Snapshot {
  const fail = (message: string): never => {
    throw new CliError(message, exitCodes.failed);
  };
  if (key !== undefined)
    return snapshots.find((snapshot) => snapshot.key === key) ?? fail(`there is no snapshot ${key}`);
  const wanted = restorableAmong(snapshots).filter(
    (snapshot) => clusterId === undefined || snapshot.clusterId === clusterId,
  );
  const [newest] = wanted;
  if (!newest)
    return fail(
      'there is no snapshot: drover etcd snapshots lists all of them; one that it ignores is restored only if you name it',
    );
  const ids = [...new Set(wanted.map((snapshot) => snapshot.clusterId))];
  return ids.length === 1
    ? newest
    : fail(`there are snapshots of several clusters, ${ids.join(', ')}: choose one with --cluster-id`);
}
