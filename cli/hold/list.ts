import type { AccessFlags } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { tableText } from '../table.ts';
import { type HoldPlace, holdsOf, type ListedHold } from './holds.ts';
import { holdJson, leftText } from './text.ts';

export interface ListFlags extends AccessFlags {
  readonly json?: true;
}

/** Lists the holds of a group, or of every group. */
export async function list(group: string | undefined, flags: ListFlags, context: CliContext): Promise<void> {
  const holds = await holdsOf(flags, context);
  const listed = (await holds.list(group)).toSorted(byPlace);
  context.stdout.write(flags.json ? jsonText(listed.map(listedJson)) : listText(listed, context.clock.now()));
}

const placeOf = (listed: ListedHold): HoldPlace => ('hold' in listed ? listed.hold : listed);

function byPlace(one: ListedHold, other: ListedHold): number {
  const [left, right] = [placeOf(one), placeOf(other)];
  return (
    left.autoScalingGroupName.localeCompare(right.autoScalingGroupName) || left.name.localeCompare(right.name)
  );
}

const listedJson = (listed: ListedHold) =>
  'hold' in listed
    ? { ...holdJson(listed.hold), state: listed.state, reason: listed.reason }
    : {
        group: listed.autoScalingGroupName,
        name: listed.name,
        state: listed.state,
        reason: listed.reason,
      };

function listText(listed: readonly ListedHold[], now: number): string {
  if (listed.length === 0) return 'no holds\n';
  return tableText(
    ['GROUP', 'HOLD', 'NODES', 'ENDS IN', 'BY', 'STATE', 'WHY'],
    listed.map((one) =>
      'hold' in one
        ? [
            one.hold.autoScalingGroupName,
            one.hold.name,
            String(one.hold.nodes),
            one.state === 'over' ? '-' : leftText(one.hold.until, now),
            one.hold.by ?? '-',
            one.state,
            one.reason,
          ]
        : [one.autoScalingGroupName, one.name, '-', '-', '-', one.state, one.reason],
    ),
  );
}
