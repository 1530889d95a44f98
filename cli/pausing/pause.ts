import { messageOf } from '../../shared/base/message-of.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { managedGroups } from '../auto-scaling/groups.ts';
import { callerOf, withoutAccount } from '../caller/caller.ts';
import { clusterOf } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { carryOutPause, type PauseResult } from './carry-out.ts';
import { type PauseChange, planPause, planResume } from './plan.ts';
import { type PauseOutcome, pauseJson, pauseText } from './text.ts';
import { waitingInstances } from './waiting.ts';

export interface PauseFlags extends AutoScalingFlags, ClusterFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

/** Pauses the named group, or every managed group of the cluster. */
export async function pause(name: string | undefined, flags: PauseFlags, context: CliContext): Promise<void> {
  const access = autoScalingAccess(flags, context);
  const groups = await managedGroups(access, name);
  const changes = planPause(groups, {
    scope: name === undefined ? 'cluster' : 'group',
    since: new Date(context.clock.now()).toISOString(),
    by: withoutAccount(await callerOf(flags, context, 'the pause')),
  });
  const results = await apply(access, changes, flags);
  const waiting = await waitingInstances({
    access,
    groups: pausedOnes(groups, results),
    cluster: clusterOf(flags, context),
    warn: (message) => context.stderr.write(`warning: ${oneLine(message)}\n`),
  });
  finish({ results, waiting, dryRun: flags.dryRun === true }, flags, context);
}

/** Ends the pause of the named group, or of every managed group of the cluster. */
export async function resume(
  name: string | undefined,
  flags: PauseFlags,
  context: CliContext,
): Promise<void> {
  const access = autoScalingAccess(flags, context);
  const groups = await managedGroups(access, name);
  const results = await apply(access, planResume(groups), flags);
  finish({ results, waiting: [], dryRun: flags.dryRun === true }, flags, context);
}

const apply = async (
  { client }: Pick<AutoScalingAccess, 'client'>,
  changes: readonly PauseChange[],
  { dryRun }: PauseFlags,
): Promise<readonly PauseResult[]> => (dryRun ? changes : await carryOutPause(client, changes));

function pausedOnes(
  groups: readonly AutoScalingGroup[],
  results: readonly PauseResult[],
): readonly AutoScalingGroup[] {
  const failed = new Set(
    results.filter(({ failure }) => failure !== undefined).map((result) => result.autoScalingGroupName),
  );
  return groups.filter((group) => !failed.has(group.autoScalingGroupName));
}

function finish(outcome: PauseOutcome, { json }: PauseFlags, { stdout }: CliContext): void {
  stdout.write(json ? jsonText(pauseJson(outcome)) : pauseText(outcome));
  const failed = outcome.results.filter(({ failure }) => failure !== undefined);
  if (failed.length === 0) return;
  const reasons = failed.map((result) =>
    oneLine(`${result.autoScalingGroupName}: ${messageOf(result.failure)}`),
  );
  throw new CliError(
    `${failed.length} of ${outcome.results.length} groups could not be changed: ${reasons.join('; ')}`,
    exitCodes.failed,
  );
}
