import { exitCodesHelp } from '../exit-codes.ts';
import { withListingFlags } from '../listing/flags.ts';
import type { RegisterCommand } from '../register.ts';
import { withScaleApiFlags } from '../scale-api/flags.ts';
import type { GroupsFlags } from './show.ts';

const help = `
Examples:
  drover groups
  drover groups workers                      its instances and their nodes
  drover groups --json | jq '.[] | select(.nodes.missing > 0)'
${exitCodesHelp()}`;

/** `drover groups [GROUP]`: what the scale API knows of the managed groups. */
export const registerGroups: RegisterCommand = (program, context) => {
  withListingFlags(withScaleApiFlags(program.command('groups')))
    .description('list the managed Auto Scaling groups with their nodes, or one of them with its instances')
    .argument('[group]', 'the name of a group')
    .addHelpText('after', help)
    .action(async (name: string | undefined, flags: GroupsFlags) => {
      const { showGroups } = await import('./show.ts');
      await showGroups(name, flags, context);
    });
};
