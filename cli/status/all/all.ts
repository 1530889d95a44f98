import type { CliContext } from '../../context.ts';
import { counted } from '../../counted.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { printListing } from '../../listing/print.ts';
import type { Flags } from '../status.ts';
import { type ClusterStatus, lookAtAll } from './look.ts';
import { allText } from './text.ts';

/**
 * Shows all deployments of the account and region.
 *
 * @throws CliError `usage` for flags that mean one cluster, `failed` if a cluster has problems, and `couldNotLook` if none has and something
 * could not be read.
 */
export async function statusOfAll(flags: Flags, context: CliContext): Promise<void> {
  refuseFlagsOfOne(flags);
  const all = await lookAtAll(flags, context);
  const listing = {
    data: all,
    names: all.clusters.map(({ clusterName, stage }) => clusterName ?? stage),
    text: (view: Parameters<typeof allText>[1]) => allText(all, view),
  };
  await printListing(listing, flags, context);
  const stateCount = (state: ClusterStatus['state']): number =>
    all.clusters.filter((one) => one.state === state).length;
  const [bad, unknown] = [stateCount('problems'), stateCount('unknown')];
  if (bad + unknown === 0) return;
  const parts = [
    ...(bad > 0 ? [`${counted(bad, 'cluster has', 'clusters have')} problems`] : []),
    ...(unknown > 0 ? [`${counted(unknown, 'cluster')} could not be read completely`] : []),
  ];
  throw new CliError(parts.join(', '), bad > 0 ? exitCodes.failed : exitCodes.couldNotLook);
}

function refuseFlagsOfOne({ cluster, stage, context, watch }: Flags): void {
  const given = Object.entries({ cluster, stage, context, watch }).find(([, value]) => value !== undefined);
  if (given === undefined) return;
  throw new CliError(
    given[0] === 'watch'
      ? '--watch looks at one cluster: leave out --all'
      : `--${given[0]} means one cluster: leave out either it or --all`,
    exitCodes.usage,
  );
}
