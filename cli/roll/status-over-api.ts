import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../plain-text.ts';
import { requesterOf } from '../scale-api/requester.ts';
import { type ApiRoll, rollRequests } from '../scale-api/rolls.ts';
import { refuseFlags } from './not-over-api.ts';
import type { StatusFlags } from './status.ts';
import { stateLine } from './status-text.ts';

/** The states of a roll for which nothing is done any more, unless people resume it. */
const ended: readonly ApiRoll['state'][] = ['done', 'aborted', 'stopped'];

/**
 * Shows the state of a roll, or of each that has not ended, as the scale API says it: how many nodes are new, and which move, is on the Nodes.
 *
 * @throws CliError `usage` for a wait, which reads the Nodes; ScaleApiError if there is no such roll, or the API refuses.
 */
export async function statusOverApi(
  name: string | undefined,
  flags: StatusFlags & AccessFlags,
  context: CliContext,
): Promise<void> {
  refuseFlags(flags);
  const requests = rollRequests(requesterOf(flags, context));
  const rolls =
    name === undefined
      ? (await requests.list()).filter(({ state }) => !ended.includes(state))
      : [await requests.get(name)];
  const { stdout } = context;
  if (flags.json) stdout.write(jsonText(name === undefined ? rolls : rolls[0]));
  else stdout.write(rolls.length === 0 ? 'no roll\n' : rolls.map(textOf));
}

const textOf = ({ since, asked, ...roll }: ApiRoll) => [
  stateLine({ ...roll, ...(since !== undefined && { since: Date.parse(since) }) }),
  asked === undefined ? '' : `  of ${oneLine(asked.groups.join(', '))}\n`,
];
