import type { Command } from 'commander';

/** Which cluster's groups are meant, and where they are. */
export interface AutoScalingFlags {
  readonly cluster?: string;
  readonly region?: string;
}

/** Adds the flags that say whose groups are meant. */
export const withAutoScalingFlags = (command: Command): Command =>
  command
    .option('--cluster <name>', 'the cluster whose groups are meant, in place of $DROVER_CLUSTER')
    .option('--region <region>', 'the AWS region, in place of $AWS_REGION');
