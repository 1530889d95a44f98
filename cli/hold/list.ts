import type { AccessFlags } from '../access/flags.ts';
import { withoutAccount } from '../caller/caller.ts';
import type { CliContext } from '../context.ts';
import type { ListingFlags } from '../listing/flags.ts';
import { printListing } from '../listing/print.ts';
import { named, sentence, type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import { type HoldPlace, holdsOf, type ListedHold } from './holds.ts';
import { askedText, foundJson, holdJson, leftText } from './text.ts';

export type ListFlags = AccessFlags & ListingFlags;

/** Lists the holds of a group, or of every group. */
export async function list(group: string | undefined, flags: ListFlags, context: CliContext): Promise<void> {
  const holds = await holdsOf(flags, context);
  const listed = (await holds.list(group)).toSorted(byPlace);
  const listing = {
    data: listed.map(listedJson),
    names: listed.map(nameOf),
    text: (view: TableView) => listText(listed, context.clock.now(), view),
  };
  await printListing(listing, flags, context);
}

const placeOf = (listed: ListedHold): HoldPlace => ('hold' in listed ? listed.hold : listed);

function byPlace(one: ListedHold, other: ListedHold): number {
  const [left, right] = [placeOf(one), placeOf(other)];
  return (
    left.autoScalingGroupName.localeCompare(right.autoScalingGroupName) || left.name.localeCompare(right.name)
  );
}

/** The two arguments of `hold extend` and `hold end`. */
function nameOf(listed: ListedHold): string {
  const { autoScalingGroupName, name } = placeOf(listed);
  return `${autoScalingGroupName} ${name}`;
}

const listedJson = (listed: ListedHold) =>
  'hold' in listed
    ? { ...holdJson(listed.hold), ...foundJson(listed.found), state: listed.state, reason: listed.reason }
    : {
        group: listed.autoScalingGroupName,
        name: listed.name,
        state: listed.state,
        reason: listed.reason,
      };

const head = [
  named('GROUP'),
  named('HOLD'),
  'NODES',
  { head: 'ENDS IN', leftOut: 1 },
  { head: 'BY', leftOut: 2, brief: withoutAccount, least: 12 },
  'STATE',
  sentence('WHY'),
];

function listText(listed: readonly ListedHold[], now: number, view: TableView): string {
  if (listed.length === 0) return 'no holds\n';
  return tableText(
    head,
    listed.map((one) =>
      'hold' in one
        ? [
            one.hold.autoScalingGroupName,
            one.hold.name,
            askedText(one.hold),
            one.state === 'over' ? '-' : leftText(one.hold.until, now),
            one.hold.by ?? '-',
            one.state,
            one.reason,
          ]
        : [one.autoScalingGroupName, one.name, '-', '-', '-', one.state, one.reason],
    ),
    view,
  );
}
