import type { Command } from 'commander';
import type { AutoScalingFlags } from '../../auto-scaling/flags.ts';

export interface BucketFlags extends AutoScalingFlags {
  readonly bucket: string;
  readonly prefix?: string;
  readonly kmsKey?: string;
}

/** Adds the flags that say where snapshots are kept. */
export const withBucketFlags = (command: Command): Command =>
  command
    .requiredOption('--bucket <name>', 'the S3 bucket of the snapshots')
    .option('--prefix <prefix>', 'what their names begin with, in place of drover/CLUSTER/etcd');
