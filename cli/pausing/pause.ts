import { messageOf } from '../../shared/base/message-of.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { managedGroups } from '../auto-scaling/groups.ts';
import { callerOf, withoutAccount } from '../caller/caller.ts';
import { clusterOf } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import { type ConfirmFlags, confirmed } from '../confirm.ts';
import type { CliContext } from '../context.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { carryOutPause, type PauseResult } from './carry-out.ts';
import { type PauseChange, planPause, planResume } from './plan.ts';
import { type PauseOutcome, pauseJson, pauseText } from './text.ts';
import { waitingInstances } from './waiting.ts';

export interface PauseFlags extends AutoScalingFlags, ClusterFlags, ConfirmFlags {
  readonly dryRun?: true;
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
  if (!(await wanted(name, changes, flags, context))) return;
  const results = await apply(access, changes, flags);
  const waiting = await waitingInstances({
    access,
    groups: pausedOnes(groups, results),
    cluster: clusterOf(flags, context),
    warn: (message) => context.stderr.write(`warning: ${oneLine(message)}\n`),
  });
  finish({ results, waiting, dryRun: isDryRun(flags) }, flags, context);
}

/** Ends the pause of the named group, or of every managed group of the cluster. */
export async function resume(
  name: string | undefined,
  flags: PauseFlags,
  context: CliContext,
): Promise<void> {
  const access = autoScalingAccess(flags, context);
  const groups = await managedGroups(access, name);
  const changes = planResume(groups);
  if (!(await wanted(name, changes, flags, context))) return;
  const results = await apply(access, changes, flags);
  finish({ results, waiting: [], dryRun: isDryRun(flags) }, flags, context);
}

const isDryRun = ({ dryRun, plan }: PauseFlags): boolean => dryRun === true || plan === true;

/**
 * Whether it is to be done. Only a change of every group is asked about, and only at a terminal: a pause is undone by one command, and a
 * script that pauses in an emergency must not stop at a question.
 */
async function wanted(
  name: string | undefined,
  changes: readonly PauseChange[],
  flags: PauseFlags,
  context: CliContext,
): Promise<boolean> {
  const { stdout, inputLines } = context;
  const count = changes.filter(({ kind }) => kind !== 'none').length;
  if (name !== undefined || count === 0 || flags.json || isDryRun(flags)) return true;
  if (!stdout.isTerminal || !inputLines) return true;
  if (!flags.yes) stdout.write(pauseText({ results: changes, waiting: [], dryRun: true }));
  const verb = changes.some(({ kind }) => kind === 'set') ? 'Pause' : 'Resume';
  return await confirmed(`${verb} ${counted(count, 'group')}?`, flags, context);
}

const apply = async (
  { client }: Pick<AutoScalingAccess, 'client'>,
  changes: readonly PauseChange[],
  flags: PauseFlags,
): Promise<readonly PauseResult[]> => (isDryRun(flags) ? changes : await carryOutPause(client, changes));

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
