import type { Command } from 'commander';

/** The cluster and the region of the groups. */
export interface AutoScalingFlags {
  readonly cluster?: string;
  readonly region?: string;
}

/** Adds the flags that select the cluster and the region. */
export const withAutoScalingFlags = (command: Command): Command =>
  command
    .option('--cluster <name>', 'the cluster of the groups; overrides $DROVER_CLUSTER')
    .option('--region <region>', 'the AWS region; overrides $AWS_REGION');
