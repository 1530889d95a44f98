import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import { withListingFlags } from '../listing/flags.ts';
import type { RegisterCommand } from '../register.ts';
import type { Flags } from './status.ts';

const help = `
Reads Auto Scaling, EC2, the dead-letter queues, the alarms, the holds, schedules and credentials with this machine's AWS credentials,
and Nodes and certificate requests with a kubeconfig. If something cannot be read, it shows the rest and says so. It changes nothing.
--all reads every deployment of the account and region. Its Nodes are those of the context that is named like the cluster.

Examples:
  drover status --cluster prod
  drover status --cluster prod --watch                  again every five seconds, until Ctrl-C
  drover status --all                                   every cluster of the account and region
  drover status -o name                                 the nodes that leave, for xargs
  drover status --json | jq -r '.problems[] | .subject + ": " + .message'
${exitCodesHelp({ done: 'everything was read and there are no problems; nodes may be leaving', failed: 'there are problems: see the last lines', couldNotLook: 'no problem was found, but something could not be read' })}`;

/** `drover status`: leaving nodes, and problems. */
export const registerStatus: RegisterCommand = (program, context) => {
  withListingFlags(withClusterFlags(withAutoScalingFlags(program.command('status'))))
    .description('show leaving nodes, paused groups and problems')
    .option(
      '--watch',
      'look again every five seconds; with -o json one object per line, whenever something has changed',
    )
    .option(
      '--stage <stage>',
      'the stage of the deployment (default: the only one in the account and region)',
    )
    .option('--all', 'all deployments of the account and region, in one table with one list of problems')
    .addHelpText('after', help)
    .action(async (flags: Flags) => {
      if (flags.all) {
        const { statusOfAll } = await import('./all/all.ts');
        return await statusOfAll(flags, context);
      }
      const { status } = await import('./status.ts');
      await status(flags, context);
    });
};
