import type { CliContext } from '../context.ts';
import type { RegisterCommand } from '../register.ts';
import { scaleApiOf } from '../scale-api/client.ts';
import { type ScaleApiFlags, withScaleApiFlags } from '../scale-api/flags.ts';
import { groupsText, groupText } from './text.ts';

const help = `
Examples:
  drover groups
  drover groups workers                      its instances and their nodes
  drover groups --json | jq '.[] | select(.nodes.missing > 0)'

Exit codes:
  0  done
  1  failed: the message says why
  2  the command line is wrong`;

interface GroupsFlags extends ScaleApiFlags {
  readonly json?: true;
}

/** `drover groups [GROUP]`: what the scale API knows of the managed groups. */
export const registerGroups: RegisterCommand = (program, context) => {
  withScaleApiFlags(program.command('groups'))
    .description('list the managed Auto Scaling groups with their nodes, or one of them with its instances')
    .argument('[group]', 'the name of a group')
    .option('--json', 'print what the API answered')
    .addHelpText('after', help)
    .action(async (name: string | undefined, flags: GroupsFlags) => await show(name, flags, context));
};

async function show(name: string | undefined, flags: GroupsFlags, context: CliContext): Promise<void> {
  const api = scaleApiOf(flags, context);
  const [answer, text] =
    name === undefined
      ? await api.listGroups().then((groups) => [groups, groupsText(groups)] as const)
      : await api.getGroup(name).then((group) => [group, groupText(group)] as const);
  context.stdout.write(flags.json ? `${JSON.stringify(answer, null, 2)}\n` : text);
}
