import type { ObservedRoll } from '../../shared/roll/observed-roll.ts';
import type { Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { named, sentence, type TableView } from '../table/column.ts';
import { shortNamesOf } from '../table/short-names.ts';
import { tableText } from '../table/table.ts';

/** The state of a roll, and why it is in it. */
export function stateLine({
  name,
  state,
  reason,
  since,
}: Pick<ObservedRoll, 'name' | 'state' | 'reason' | 'since'>): string {
  const time = since === undefined ? '' : ` since ${new Date(since).toISOString()}`;
  return `roll ${name} is ${state}${time}${reason === '' ? '' : `: ${oneLine(reason)}`}\n`;
}

/** How far a roll is, for people. */
export function statusText(
  { name, state, reason, since, groups, moving }: Omit<ObservedRoll, 'touched'>,
  view: TableView,
): Text {
  const leftOut = groups.flatMap((group) => group.leftOut);
  return [
    stateLine({ name, state, reason, ...(since !== undefined && { since }) }),
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
