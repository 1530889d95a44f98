import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import type { Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { requesterOf } from '../scale-api/requester.ts';
import { type ApiRoll, type ApiRollStatus, rollRequests } from '../scale-api/rolls.ts';
import { type TableView, viewOf } from '../table/column.ts';
import { refuseFlags } from './not-over-api.ts';
import type { StatusFlags } from './status.ts';
import { stateLine, statusText } from './status-text.ts';

/** The states of a roll for which nothing is done any more, unless people resume it. */
const ended: readonly ApiRoll['state'][] = ['done', 'aborted', 'stopped'];

/**
 * Shows how far a roll is, or each that has not ended, as the scale API says it.
 *
 * @throws CliError `usage` for a wait; ScaleApiError if there is no such roll, or the API refuses.
 */
export async function statusOverApi(
  name: string | undefined,
  flags: StatusFlags & AccessFlags,
  context: CliContext,
): Promise<void> {
  refuseFlags(flags);
  const requests = rollRequests(requesterOf(flags, context));
  const names =
    name === undefined
      ? (await requests.list()).flatMap((roll) => (ended.includes(roll.state) ? [] : roll.name))
      : [name];
  const rolls = await Promise.all(names.map((one) => requests.get(one)));
  const { stdout, stderr } = context;
  for (const warning of rolls.flatMap(warningsOf)) stderr.write(`warning: ${oneLine(warning)}\n`);
  if (flags.json) stdout.write(jsonText(name === undefined ? rolls : rolls[0]));
  else if (rolls.length === 0) stdout.write('no roll\n');
  else stdout.write(rolls.map((one, index) => [index > 0 ? '\n' : '', textOf(one, viewOf(stdout))]));
}

const warningsOf = ({ name, progress, progressUnknown }: ApiRollStatus): readonly string[] => [
  ...(progressUnknown === undefined ? [] : [`how far roll ${name} is, is unknown: ${progressUnknown}`]),
  ...(progress?.warnings ?? []),
];

function textOf({ name, state, reason, since, asked, progress }: ApiRollStatus, view: TableView): Text {
  const said = { name, state, reason, ...(since !== undefined && { since: Date.parse(since) }) };
  if (progress) return statusText({ ...said, ...progress }, view);
  return [stateLine(said), asked === undefined ? '' : `  of ${oneLine(asked.groups.join(', '))}\n`];
}
