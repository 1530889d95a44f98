import type { Command } from 'commander';
import { withAutoScalingFlags } from '../../auto-scaling/flags.ts';
import { withClusterFlags } from '../../cluster-flags.ts';
import type { CliContext } from '../../context.ts';
import { exitCodesHelp, failedOrRefused } from '../../exit-codes.ts';
import type { NthFlags } from './flags.ts';

const help = `
Reads AWS Node Termination Handler as it runs in the cluster, or the values of its chart; its queue, rules and hooks, and the tags of groups
and instances. Prints setting by setting what Drover does instead, and for each group the steps that hand it over: Drover's tags and hook
with the same timeouts, then its hooks and its tag. Nothing is changed.

Examples:
  drover migrate nth --cluster prod                   all groups that have its tag
  drover migrate nth --group workers --json
  drover migrate nth --values values.yaml             what these values of the chart mean for Drover
${exitCodesHelp(failedOrRefused)}`;

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
    .option('--stage <stage>', 'the stage of the stack (default: the only one in the account and region)')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (flags: NthFlags) => {
      const { migrateNth } = await import('./nth.ts');
      await migrateNth(flags, context);
    });
}
