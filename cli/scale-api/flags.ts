import type { Command } from 'commander';

/** Where the scale API is, and with which credentials to call it. */
export interface ScaleApiFlags {
  readonly endpoint?: string;
  readonly region?: string;
  readonly profile?: string;
  /** Commander's reading of `--no-sign`. */
  readonly sign: boolean;
}

/** Adds the flags that say which API is asked and how. */
export const withScaleApiFlags = (command: Command): Command =>
  command
    .option('--endpoint <url>', 'the address of the scale API; overrides $DROVER_API_URL')
    .option('--region <region>', 'the region to sign for, where the address does not name it')
    .option('--profile <name>', 'the AWS profile whose credentials sign; overrides $AWS_PROFILE')
    .option('--no-sign', 'send requests unsigned, to an API that asks for no IAM signature');
