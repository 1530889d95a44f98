import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import { withListingFlags } from '../listing/flags.ts';
import type { RegisterCommand } from '../register.ts';
import type { Flags } from './status.ts';

const help = `
Reads Auto Scaling with this machine's AWS credentials, and the marks on Nodes with a kubeconfig; where either is missing it
shows what it can and says what it could not read. It changes nothing.

Examples:
  drover status --cluster prod
  drover status --cluster prod --watch                  again every five seconds, until Ctrl-C
  drover status -o name                                 the nodes that leave, for xargs
  drover status --json | jq -r '.problems[] | .subject + ": " + .message'
${exitCodesHelp({ done: 'everything was read and there are no problems; nodes may be leaving', failed: 'there are problems, or something could not be read: see the last lines' })}`;

/** `drover status`: leaving nodes, and problems. */
export const registerStatus: RegisterCommand = (program, context) => {
  withListingFlags(withClusterFlags(withAutoScalingFlags(program.command('status'))))
    .description('show leaving nodes, paused groups and problems')
    .option(
      '--watch',
      'look again every five seconds; with -o json one object per line, whenever something has changed',
    )
    .addHelpText('after', help)
    .action(async (flags: Flags) => {
      const { status } = await import('./status.ts');
      await status(flags, context);
    });
};
