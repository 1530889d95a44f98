import type { Command } from 'commander';
import type { AutoScalingFlags } from '../../auto-scaling/flags.ts';

export interface BucketFlags extends AutoScalingFlags {
  readonly bucket?: string;
  readonly bucketOwner?: string;
  readonly prefix?: string;
  readonly kmsKey?: string;
}

/** Adds the flags that say where snapshots are kept. */
export const withBucketFlags = (command: Command): Command =>
  command
    .option('--bucket <name>', 'the S3 bucket of the snapshots; overrides $DROVER_ETCD_SNAPSHOTS')
    .option('--bucket-owner <account>', 'the id of the account that owns the bucket; without it any account')
    .option(
      '--prefix <prefix>',
      'the prefix of their names; overrides $DROVER_ETCD_SNAPSHOTS (default: drover/CLUSTER/etcd)',
    );
