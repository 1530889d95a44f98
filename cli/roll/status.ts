import { readRolls } from '../../shared/roll/change-roll.ts';
import type { ObservedRoll } from '../../shared/roll/observed-roll.ts';
import { hasEnded, type StoredRoll } from '../../shared/roll/rolls-in.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../json-text.ts';
import type { Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { named, sentence, type TableView, viewOf } from '../table/column.ts';
import { shortNamesOf } from '../table/short-names.ts';
import { tableText } from '../table/table.ts';
import { rollAccess } from './access.ts';
import type { RollAccessFlags } from './access-flags.ts';
import { refuseNodegroup } from './nodegroup/refuse-change.ts';
import { observeRoll } from './observe.ts';

export interface StatusFlags extends RollAccessFlags {
  readonly json?: true;
}

/** Shows how far a roll is, or each that has not ended. */
export async function status(
  name: string | undefined,
  flags: StatusFlags,
  context: CliContext,
): Promise<void> {
  const access = rollAccess(flags, context);
  const all = await readRolls(access.store);
  if (name !== undefined && !all.some((one) => one.name === name))
    await refuseNodegroup(name, access, 'status');
  const chosen = name === undefined ? all.filter((one) => !hasEnded(one)) : [rollNamed(name, all)];
  const observed = await Promise.all(chosen.map((one) => observeRoll(one, access, flags, context)));
  const { stdout } = context;
  if (flags.json) stdout.write(jsonText(name === undefined ? observed : observed[0]));
  else if (observed.length === 0) stdout.write('no roll\n');
  else stdout.write(observed.map((one, index) => [index > 0 ? '\n' : '', statusText(one, viewOf(stdout))]));
}

/** @throws CliError `failed` if there is no such roll. */
export function rollNamed(name: string, rolls: readonly StoredRoll[]): StoredRoll {
  const found = rolls.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = rolls.map((one) => one.name);
  throw new CliError(
    `there is no roll ${name}${names.length === 0 ? '' : `: there is ${names.join(', ')}`}`,
    exitCodes.failed,
  );
}

/** How far a roll is, for people. */
export function statusText(
  { name, state, reason, since, groups, moving }: ObservedRoll,
  view: TableView,
): Text {
  const leftOut = groups.flatMap((group) => group.leftOut);
  const time = since === undefined ? '' : ` since ${new Date(since).toISOString()}`;
  return [
    `roll ${name} is ${state}${time}${reason === '' ? '' : `: ${oneLine(reason)}`}\n`,
    tableText(
      [named('GROUP'), 'OLD', 'NEW', 'LEAVING', 'LEFT OUT'],
      groups.map((group) => [
        group.autoScalingGroupName,
        String(group.old),
        String(group.fresh),
        String(group.leaving),
        String(group.leftOut.length),
      ]),
      view,
    ),
    moving.length === 0
      ? ''
      : `\n${tableText(
          [
            named('NODE', { brief: shortNamesOf(moving.map((node) => node.name)) }),
            named('GROUP'),
            'STATE',
            sentence('WHY'),
          ],
          moving.map((node) => [node.name, node.autoScalingGroupName, node.state, node.why]),
          view,
        )}`,
    leftOut.length === 0
      ? ''
      : `\n${tableText(
          ['LEFT OUT', sentence('BECAUSE')],
          leftOut.map(({ instanceId, why }) => [instanceId, why]),
          view,
        )}`,
  ];
}
