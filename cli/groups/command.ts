import { withNodeAccessFlags } from '../access/flags.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import { withListingFlags } from '../listing/flags.ts';
import type { RegisterCommand } from '../register.ts';
import type { GroupsFlags } from './show.ts';

const help = `
Asks the scale API if --api, --endpoint or $DROVER_API_URL gives its address and no flag selects a cluster. Otherwise it reads the
groups with this machine's AWS credentials, and the nodes with its kubeconfig.

Examples:
  drover groups
  drover groups workers                      its instances and their nodes
  drover groups --json | jq '.[] | select(.nodes.missing > 0)'
${exitCodesHelp()}`;

/** `drover groups [GROUP]`: what the scale API knows of the managed groups. */
export const registerGroups: RegisterCommand = (program, context) => {
  withListingFlags(withNodeAccessFlags(program.command('groups')))
    .description('list the managed Auto Scaling groups with their nodes, or one of them with its instances')
    .argument('[group]', 'the name of a group')
    .addHelpText('after', help)
    .action(async (name: string | undefined, flags: GroupsFlags) => {
      const { showGroups } = await import('./show.ts');
      await showGroups(name, flags, context);
    });
};
