import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  longestHeartbeatTimeoutSeconds,
  shortestHeartbeatTimeoutSeconds,
} from '../../shared/groups/hook-timing.ts';
import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import type { CliContext } from '../context.ts';
import { durationSeconds } from '../durations.ts';
import { exitCodesHelp, failedOrRefused } from '../exit-codes.ts';
import { withListingFlags } from '../listing/flags.ts';
import type { RegisterCommand } from '../register.ts';
import type { InstallFlags } from './install.ts';
import type { ListFlags } from './list.ts';
import type { RemoveFlags } from './remove.ts';

const codes = exitCodesHelp(failedOrRefused);

const listHelp = `
Works with this machine's AWS credentials.

Examples:
  drover hooks --cluster prod                   every managed group with its hooks, and what is wrong with them
  drover hooks workers --cluster prod
  drover hooks --json | jq -r '.[] | select(.problems != []) | .autoScalingGroupName'
${codes}`;

const installHelp = `
Puts the hook drover-node-leaving ($DROVER_LEAVING_HOOK) on a group that carries the cluster's tags, or changes its heartbeat
timeout and its default result; its notification target is unchanged. The heartbeat timeout is what a wait survives without Drover;
an instance can be held for 100 of them, and for 48 hours at most. With --joining the hook is drover-node-joining
($DROVER_JOINING_HOOK), which holds a launched instance until its node is Ready.

Examples:
  drover hooks install workers --cluster prod
  drover hooks install workers --joining
  drover hooks install workers --heartbeat 30m --dry-run
${codes}`;

const removeHelp = `
Refuses while an instance of the group waits on any hook: Auto Scaling would terminate it at once, undrained. Refuses a group with the tag
of another cluster than the one that is named. Works with this machine's AWS credentials.

Examples:
  drover hooks remove workers
  drover hooks remove workers --joining --dry-run
${codes}`;

/** `drover hooks [GROUP]`, `install` and `remove`: the lifecycle hooks of groups. */
export const registerHooks: RegisterCommand = (program, context) => {
  // Positional, so that a flag after `install` is install's own although `hooks` has one of that name.
  const hooks = withListingFlags(withAutoScalingFlags(program.command('hooks').enablePositionalOptions()))
    .description('list the lifecycle hooks of managed groups; put or remove Drover’s')
    .argument('[group]', 'the Auto Scaling group; left out: every managed group of the cluster')
    .addHelpText('after', listHelp)
    .action(async (group: string | undefined, flags: ListFlags) => {
      const { listHooks } = await import('./list.ts');
      await listHooks(group, flags, context);
    });
  hooks.hook('preSubcommand', refuseMisplacedFlags);
  registerInstall(hooks, context);
  registerRemove(hooks, context);
};

/** The subcommand would not see them: it would change a hook in another region than the one that is named. */
function refuseMisplacedFlags(hooks: Command, subcommand: Command): void {
  const name = subcommand.name();
  for (const option of hooks.options)
    if (hooks.getOptionValueSource(option.attributeName()) === 'cli')
      subcommand.error(
        `error: give ${option.long} after ${name}: drover hooks ${name} GROUP ${option.long} ...`,
      );
}

function registerInstall(hooks: Command, context: CliContext): void {
  withAutoScalingFlags(hooks.command('install'))
    .description('put Drover’s hook on a managed group')
    .argument('<group>', 'the Auto Scaling group')
    .addOption(
      new Option('--heartbeat <duration>', 'the heartbeat timeout, from 30s to 2h')
        .argParser(heartbeatSeconds)
        .default(3600, '1h'),
    )
    .addOption(
      new Option(
        '--default-result <result>',
        'what Auto Scaling does with an instance when the wait times out',
      )
        .choices(['CONTINUE', 'ABANDON'])
        .default('CONTINUE'),
    )
    .option('--joining', 'the hook for launching instances, not the one for terminating instances')
    .option('--dry-run', 'say what would change, and change nothing')
    .addHelpText('after', installHelp)
    .action(async (group: string, flags: InstallFlags) => {
      const { installHook } = await import('./install.ts');
      await installHook(group, flags, context);
    });
}

/** @throws InvalidArgumentError beyond what PutLifecycleHook takes (EC2 Auto Scaling API reference). */
function heartbeatSeconds(text: string): number {
  const seconds = durationSeconds(text);
  const isAllowed = seconds >= shortestHeartbeatTimeoutSeconds && seconds <= longestHeartbeatTimeoutSeconds;
  if (Number.isInteger(seconds) && isAllowed) return seconds;
  throw new InvalidArgumentError('Auto Scaling takes whole seconds, from 30s to 2h');
}

function registerRemove(hooks: Command, context: CliContext): void {
  withAutoScalingFlags(hooks.command('remove'))
    .description('remove a hook from a group, unless an instance waits')
    .argument('<group>', 'the Auto Scaling group')
    .option('--joining', 'the hook for launching instances, not the one for terminating instances')
    .addOption(
      new Option('--hook <name>', 'another hook, by its name').argParser(nameOfHook).conflicts('joining'),
    )
    .option('--dry-run', 'say what would be removed, and remove nothing')
    .addHelpText('after', removeHelp)
    .action(async (group: string, flags: RemoveFlags) => {
      const { removeFrom } = await import('./remove.ts');
      await removeFrom(group, flags, context);
    });
}

/** @throws InvalidArgumentError if it is empty, as with an unset variable. */
function nameOfHook(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It is empty');
}
