import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { scaleApiOf } from '../scale-api/client.ts';
import type { ScaleApiFlags } from '../scale-api/flags.ts';
import { groupsText, groupText } from './text.ts';

export interface GroupsFlags extends ScaleApiFlags {
  readonly json?: true;
}

/** Shows the managed groups, or one of them with its instances. */
export async function showGroups(
  name: string | undefined,
  flags: GroupsFlags,
  context: CliContext,
): Promise<void> {
  const api = scaleApiOf(flags, context);
  const [answer, text] =
    name === undefined
      ? await api.listGroups().then((groups) => [groups, groupsText(groups)] as const)
      : await api.getGroup(name).then((group) => [group, groupText(group)] as const);
  context.stdout.write(flags.json ? jsonText(answer) : text);
}
