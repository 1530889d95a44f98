import type { Command } from 'commander';
import { type AutoScalingFlags, withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { type ClusterFlags, withClusterFlags } from '../cluster-flags.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import type { ScaleApiFlags } from '../scale-api/flags.ts';

/** Whether a command works with this machine's AWS credentials, or asks the scale API. */
export interface AccessFlags extends AutoScalingFlags, ClusterFlags, ScaleApiFlags {
  readonly api?: true;
}

/** Adds the flags of both ways. */
export const withAccessFlags = (command: Command): Command =>
  withAutoScalingFlags(command)
    .option('--api', 'ask the scale API at $DROVER_API_URL, instead of AWS')
    .option('--endpoint <url>', 'ask the scale API at this address, instead of AWS')
    .option('--profile <name>', 'the AWS profile whose credentials sign for the scale API')
    .option('--no-sign', 'send requests unsigned, to a scale API that asks for no IAM signature');

/** Adds those that select the cluster for the Nodes as well. */
export const withNodeAccessFlags = (command: Command): Command => withClusterFlags(withAccessFlags(command));

/**
 * Whether the flags ask for the scale API. An address that is only in the environment does not count: a command would change another cluster than
 * it did before the variable was set.
 *
 * @throws CliError `usage` for flags of both ways.
 */
export function usesScaleApi(flags: AccessFlags): boolean {
  const isAsked = flags.api === true || flags.endpoint !== undefined;
  const foreign = isAsked
    ? given({ cluster: flags.cluster, kubeconfig: flags.kubeconfig, context: flags.context })
    : given({ profile: flags.profile, 'no-sign': flags.sign ? undefined : '' });
  if (foreign === undefined) return isAsked;
  const way = isAsked
    ? 'the scale API knows its own cluster: leave it out, or leave out --api and --endpoint'
    : 'it is for the scale API: give --api or --endpoint too';
  throw new CliError(`--${foreign}: ${way}`, exitCodes.usage);
}

/**
 * Whether a command that only reads asks the scale API. It changes nothing, so an address that is only in the environment counts, unless a
 * flag selects a cluster.
 *
 * @throws CliError `usage` for flags of both ways.
 */
export function readsScaleApi(
  flags: AccessFlags,
  { environment }: { readonly environment: Readonly<Record<string, string | undefined>> },
): boolean {
  const { cluster, kubeconfig, context } = flags;
  const hasAddress =
    Boolean(environment.DROVER_API_URL) && given({ cluster, kubeconfig, context }) === undefined;
  return usesScaleApi(hasAddress ? { ...flags, api: true } : flags);
}

const given = (flags: Readonly<Record<string, unknown>>): string | undefined =>
  Object.keys(flags).find((name) => flags[name] !== undefined);
