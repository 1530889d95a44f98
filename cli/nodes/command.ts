import { withNodeAccessFlags } from '../access/flags.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import { withListingFlags } from '../listing/flags.ts';
import type { RegisterCommand } from '../register.ts';
import type { NodesFlags } from './show.ts';

const help = `
Asks the scale API if --api, --endpoint or $DROVER_API_URL gives its address and no flag selects a cluster. Otherwise it reads the
groups with this machine's AWS credentials, and the nodes with its kubeconfig.

Examples:
  drover nodes
  drover nodes workers                      those of one group
  drover nodes --json | jq -r '.[] | select(.serves | not) | .instanceId'
${exitCodesHelp()}`;

/** `drover nodes [GROUP]`: the instances of managed groups with their nodes, and what each waits for. */
export const registerNodes: RegisterCommand = (program, context) => {
  withListingFlags(withNodeAccessFlags(program.command('nodes')))
    .description('list the nodes of the managed groups, or of one of them, and what each waits for')
    .argument('[group]', 'the name of a group')
    .addHelpText('after', help)
    .action(async (name: string | undefined, flags: NodesFlags) => {
      const { showNodes } = await import('./show.ts');
      await showNodes(name, flags, context);
    });
};
