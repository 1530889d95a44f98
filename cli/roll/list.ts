import { readRolls } from '../../shared/roll/change-roll.ts';
import { rollStateOf, type StoredRoll } from '../../shared/roll/rolls-in.ts';
import { withoutAccount } from '../caller/caller.ts';
import type { CliContext } from '../context.ts';
import type { ListingFlags } from '../listing/flags.ts';
import { printListing } from '../listing/print.ts';
import { named, sentence, type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import { rollAccess } from './access.ts';
import type { RollAccessFlags } from './access-flags.ts';

/** Lists the rolls of the cluster, with those that have ended in the last week. */
export async function list(flags: RollAccessFlags & ListingFlags, context: CliContext): Promise<void> {
  const rolls = await readRolls(rollAccess(flags, context).store);
  const listing = {
    data: rolls.map(rollJson),
    names: rolls.map(({ name }) => name),
    text: (view: TableView) => listText(rolls, view),
  };
  await printListing(listing, flags, context);
}

const rollJson = (stored: StoredRoll) => {
  const { state, reason, since } = rollStateOf(stored);
  const time = (at: number | undefined): string | null =>
    at === undefined ? null : new Date(at).toISOString();
  const said = { name: stored.name, state, reason, since: time(since) };
  if (stored.ask.kind === 'unreadable') return said;
  const { name: _, startedAt, ...ask } = stored.ask.value;
  return { ...said, ...ask, startedAt: time(startedAt) };
};

function listText(rolls: readonly StoredRoll[], view: TableView): string {
  if (rolls.length === 0) return 'no rolls\n';
  return tableText(
    [
      named('ROLL'),
      named('GROUPS'),
      { head: 'BEGAN', leftOut: 1 },
      { head: 'BY', leftOut: 2, brief: withoutAccount, least: 12 },
      'STATE',
      sentence('WHY'),
    ],
    rolls.map((stored) => {
      const { state, reason } = rollStateOf(stored);
      if (stored.ask.kind === 'unreadable') return [stored.name, '-', '-', '-', state, reason];
      const { groups, startedAt, by } = stored.ask.value;
      return [
        stored.name,
        groups.map(({ autoScalingGroupName }) => autoScalingGroupName).join(','),
        new Date(startedAt).toISOString(),
        by ?? '-',
        state,
        reason,
      ];
    }),
    view,
  );
}
