import { lazily } from '../../shared/base/lazily.ts';
import { isThrottledIn } from '../../shared/problems/observation.ts';
import { autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { noManagedGroup } from '../auto-scaling/no-managed-group.ts';
import { clusterOf, connectionsTo } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import { jsonLine } from '../json-text.ts';
import { isForPrograms, type ListingFlags } from '../listing/flags.ts';
import { type Listing, printerOf } from '../listing/print.ts';
import { createObserver } from '../observation/observe.ts';
import { problemSources } from '../observation/sources.ts';
import type { StatusReport } from './report.ts';
import { reportOf } from './report-of.ts';
import { statusText } from './text.ts';
import { type Looked, watchStatus } from './watch.ts';

export interface Flags extends AutoScalingFlags, ClusterFlags, ListingFlags {
  readonly watch?: true;
  readonly stage?: string;
  readonly all?: true;
}

/** Shows the report once, or again and again with `--watch`. */
export async function status(flags: Flags, context: CliContext): Promise<void> {
  const observe = createObserver({
    access: lazily(() => autoScalingAccess(flags, context)),
    cluster: clusterOf(flags, context),
    sources: problemSources({
      host: hostOf(context, environmentOf(flags, context)),
      connections: connectionsTo(flags, context),
      stage: flags.stage,
    }),
    clock: context.clock,
  });
  const look = async (): Promise<Looked> => {
    const observation = await observe();
    return { report: reportOf(observation), isThrottled: isThrottledIn(observation) };
  };
  const print = await printerOf(flags, context);
  const isScreen = context.stdout.isTerminal && !isForPrograms(flags);
  if (flags.watch)
    await watchStatus({ look, show: viewer(print, flags, context), everyTime: isScreen }, context);
  const { report } = await look();
  print(listingOf(report));
  const reasons = reasonsToMind(report, isForPrograms(flags));
  // The other sources of a cluster that does not exist are missing for the same reason.
  const unread = isWithoutGroups(report) ? [] : unreadReasons(report);
  if (reasons.length + unread.length > 0)
    throw new CliError(
      [...reasons, ...unread].join(', '),
      reasons.length > 0 ? exitCodes.failed : exitCodes.couldNotLook,
    );
}

/**
 * Without a managed group there is nothing to report: the cluster or the region is mostly mistyped, and that must not pass for health. The
 * report for people has the reason already.
 */
const reasonsToMind = (report: StatusReport, forPrograms: boolean): readonly string[] => [
  ...(isWithoutGroups(report)
    ? [
        forPrograms
          ? noManagedGroup(report.clusterName ?? '')
          : 'there is nothing to report: check --cluster and --region',
      ]
    : []),
  ...(report.problems.length > 0 ? [counted(report.problems.length, 'problem found', 'problems found')] : []),
];

const isWithoutGroups = ({ clusterName, groups }: StatusReport): boolean =>
  clusterName !== null && groups.length === 0;

const unreadReasons = ({ missing }: StatusReport): readonly string[] =>
  missing.length > 0
    ? [counted(missing.length, 'source could not be read', 'sources could not be read')]
    : [];

/** A node is known by its name once its first pass has marked it. */
const listingOf = (report: StatusReport): Listing => ({
  data: report,
  names: report.leaving.map(({ node, instanceId }) => node ?? instanceId),
  text: (view) => statusText(report, view),
});

function viewer(
  print: (listing: Listing) => void,
  flags: Flags,
  { stdout }: CliContext,
): (report: StatusReport) => void {
  if (flags.json || flags.output === 'json') return (report) => stdout.write(jsonLine(report));
  if (flags.output === 'name') return (report) => print(listingOf(report));
  return (report) => {
    if (flags.output === 'yaml') stdout.write('---\n');
    else if (stdout.isTerminal) stdout.clear();
    print(listingOf(report));
    if (!isForPrograms(flags) && !stdout.isTerminal) stdout.write('\n');
  };
}
