import type { Command } from 'commander';
import { messageOf } from '../../shared/base/message-of.ts';
import type { AutoScalingGroup } from '../../shared/lifecycle/group.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import { type AutoScalingFlags, withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { managedGroups } from '../auto-scaling/groups.ts';
import { type ClusterFlags, clusterOf, withClusterFlags } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { carryOutPause, type PauseResult } from './carry-out.ts';
import { type PauseChange, planPause, planResume } from './plan.ts';
import { pauseJson, pauseText, type Told } from './text.ts';
import { waitingInstances } from './waiting.ts';

const codes = `
Exit codes:
  0  done, or nothing was left to do
  1  failed, for one group at least: the message says why
  2  the command line is wrong`;

const pauseHelp = `
Sets the tag drover.dev/paused on the group, or on every managed group of the cluster; a pass sees it within 20 seconds. Nothing
is drained, deleted or completed meanwhile, but waits are kept up with heartbeats: for each instance that waits it is said how
long that can last. It cannot hold what EC2 takes back. Works with this machine's AWS credentials, and with a kubeconfig where
there is one.

Examples:
  drover pause workers --cluster prod
  drover pause --cluster prod --dry-run         every managed group: what would happen, and who waits
  drover pause --json | jq '.waiting[].heldUntil'
${codes}`;

const resumeHelp = `
Examples:
  drover resume workers --cluster prod
  drover resume --cluster prod                  every managed group, whoever paused it
${codes}`;

interface PauseFlags extends AutoScalingFlags, ClusterFlags {
  readonly dryRun?: true;
  readonly json?: true;
}

/** `drover pause [GROUP]` and `drover resume [GROUP]`: docs/adr/0007. */
export const registerPause: RegisterCommand = (program, context) => {
  withClusterFlags(shaped(program.command('pause')))
    .description('keep nodes from leaving: passes heartbeat and do nothing else')
    .addHelpText('after', pauseHelp)
    .action(async (group: string | undefined, flags: PauseFlags) => await pause(group, flags, context));
  shaped(program.command('resume'))
    .description('end a pause')
    .addHelpText('after', resumeHelp)
    .action(async (group: string | undefined, flags: PauseFlags) => await resume(group, flags, context));
};

const shaped = (command: Command): Command =>
  withAutoScalingFlags(command)
    .argument('[group]', 'the Auto Scaling group; left out: every managed group of the cluster')
    .option('--dry-run', 'say what would change, and change nothing')
    .option('--json', 'print JSON');

async function pause(name: string | undefined, flags: PauseFlags, context: CliContext): Promise<void> {
  const access = autoScalingAccess(flags, context);
  const groups = await managedGroups(access, name);
  const changes = planPause(groups, {
    scope: name === undefined ? 'cluster' : 'group',
    since: new Date(context.clock.now()).toISOString(),
    by: whoAsks(context),
  });
  const results = await apply(access, changes, flags);
  const waiting = await waitingInstances({
    access,
    groups: pausedOnes(groups, results),
    cluster: clusterOf(flags, context),
    warn: (message) => context.stderr.write(`warning: ${message}\n`),
  });
  finish({ results, waiting, dryRun: flags.dryRun === true }, flags, context);
}

async function resume(name: string | undefined, flags: PauseFlags, context: CliContext): Promise<void> {
  const access = autoScalingAccess(flags, context);
  const groups = await managedGroups(access, name);
  const results = await apply(access, planResume(groups), flags);
  finish({ results, waiting: [], dryRun: flags.dryRun === true }, flags, context);
}

const apply = async (
  { api }: Pick<AutoScalingAccess, 'api'>,
  changes: readonly PauseChange[],
  { dryRun }: PauseFlags,
): Promise<readonly PauseResult[]> => (dryRun ? changes : await carryOutPause(api, changes));

function pausedOnes(
  groups: readonly AutoScalingGroup[],
  results: readonly PauseResult[],
): readonly AutoScalingGroup[] {
  const failed = new Set(
    results.filter(({ failure }) => failure !== undefined).map((result) => result.autoScalingGroupName),
  );
  return groups.filter((group) => !failed.has(group.autoScalingGroupName));
}

/** For people who look at the tag; who it really was stands in CloudTrail. */
const whoAsks = ({ environment }: CliContext): string => environment.USER ?? environment.LOGNAME ?? 'unknown';

function finish(told: Told, { json }: PauseFlags, { stdout }: CliContext): void {
  stdout.write(json ? `${JSON.stringify(pauseJson(told), null, 2)}\n` : pauseText(told));
  const failed = told.results.filter(({ failure }) => failure !== undefined);
  if (failed.length === 0) return;
  const reasons = failed.map((result) => `${result.autoScalingGroupName}: ${messageOf(result.failure)}`);
  throw new CliError(
    `${failed.length} of ${told.results.length} groups could not be changed: ${reasons.join('; ')}`,
    exitCodes.failed,
  );
}
