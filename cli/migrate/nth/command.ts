import { type Command, Option } from 'commander';
import { withAutoScalingFlags } from '../../auto-scaling/flags.ts';
import { withClusterFlags } from '../../cluster-flags.ts';
import type { CliContext } from '../../context.ts';
import { durationSeconds } from '../../durations.ts';
import { endsAtSafePoint, exitCodesHelp, failedOrRefused } from '../../exit-codes.ts';
import type { NthFlags } from './flags.ts';

const help = `
Reads AWS Node Termination Handler as it runs in the cluster, or the values of its chart; its queue, rules and hooks, and the tags of groups
and instances. Prints setting by setting what Drover does instead, and for each group the steps that hand it over: Drover's tags and hook
with the same timeouts, then its hooks and its tag. With --apply it asks and takes the steps; a run that was ended is continued by the next
one. --back gives the groups back, from a record in their tags.

Examples:
  drover migrate nth --cluster prod                   all groups that have its tag
  drover migrate nth --values values.yaml             what these values of the chart mean for Drover
  drover migrate nth --group workers --apply --wait 30m
  drover migrate nth --group workers --back --apply   its hooks and tags as they were
${exitCodesHelp({ ...failedOrRefused, ...endsAtSafePoint })}`;

/** `drover migrate nth`: hands groups over from AWS Node Termination Handler. */
export function registerMigrateNth(migrate: Command, context: CliContext): void {
  withClusterFlags(withAutoScalingFlags(migrate.command('nth')))
    .description('hand groups over from AWS Node Termination Handler, group by group')
    .option('--values <file>', 'values of its chart, instead of what runs in the cluster')
    .option('--group <name...>', 'the Auto Scaling groups (default: all of the cluster that have its tag)')
    .option('--hook <name...>', 'its hooks, if the groups have hooks of others too')
    .option(
      '--both-drain',
      'hand over although it cannot leave one group alone: both drain until you uninstall it',
    )
    .option('--apply', 'take the steps, after a question; without this, only print them')
    .addOption(new Option('--yes', 'with --apply: without a question').implies({ apply: true }))
    .addOption(
      new Option('--back', 'give the groups back to it, as they were').conflicts([
        'values',
        'hook',
        'bothDrain',
      ]),
    )
    .addOption(
      new Option('--wait <duration>', 'how long to wait until no instance leaves that began before')
        .argParser(durationSeconds)
        .default(600, '10m'),
    )
    .option('--stage <stage>', 'the stage of the stack (default: the only one in the account and region)')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (flags: NthFlags) => {
      const { migrateNth } = await import('./nth.ts');
      await migrateNth(flags, context);
    });
}
