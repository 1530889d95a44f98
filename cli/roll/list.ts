import { readRolls } from '../../shared/roll/change-roll.ts';
import { rollStateOf, type StoredRoll } from '../../shared/roll/rolls-in.ts';
import { type AccessFlags, usesScaleApi } from '../access/flags.ts';
import { withoutAccount } from '../caller/caller.ts';
import type { CliContext } from '../context.ts';
import type { ListingFlags } from '../listing/flags.ts';
import { printListing } from '../listing/print.ts';
import { requesterOf } from '../scale-api/requester.ts';
import { type ApiRoll, rollRequests } from '../scale-api/rolls.ts';
import { named, sentence, type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import { rollAccess } from './access.ts';

export type RollListFlags = AccessFlags & ListingFlags;

/** A roll as it is listed. Times are in ISO 8601. */
interface ListedRoll {
  readonly name: string;
  readonly state: string;
  readonly reason: string;
  readonly since: string | null;
  /** Missing if its parameter cannot be read. */
  readonly asked?: {
    readonly groups: readonly { readonly autoScalingGroupName: string }[];
    readonly startedAt: string;
    readonly by?: string | undefined;
  };
}

/**
 * Lists the rolls of the cluster, with those that have ended in the last week.
 *
 * @throws ScaleApiError if the scale API is asked, and refuses.
 */
export async function list(flags: RollListFlags, context: CliContext): Promise<void> {
  const rolls = usesScaleApi(flags)
    ? (await rollRequests(requesterOf(flags, context)).list()).map(ofApi)
    : (await readRolls(rollAccess(flags, context).store)).map(ofStored);
  const listing = {
    data: rolls.map(({ asked, ...said }) => ({ ...said, ...asked })),
    names: rolls.map(({ name }) => name),
    text: (view: TableView) => listText(rolls, view),
  };
  await printListing(listing, flags, context);
}

function ofApi({ name, state, reason, since, asked }: ApiRoll): ListedRoll {
  const said = { name, state, reason, since: since ?? null };
  if (asked === undefined) return said;
  const groups = asked.groups.map((autoScalingGroupName) => ({ autoScalingGroupName }));
  return { ...said, asked: { ...asked, groups } };
}

function ofStored(stored: StoredRoll): ListedRoll {
  const { state, reason, since } = rollStateOf(stored);
  const said = { name: stored.name, state, reason, since: since === undefined ? null : timeText(since) };
  if (stored.ask.kind === 'unreadable') return said;
  const { name: _, startedAt, resumedAt, ...ask } = stored.ask.value;
  const resumed = resumedAt === undefined ? {} : { resumedAt: timeText(resumedAt) };
  return { ...said, asked: { ...ask, startedAt: timeText(startedAt), ...resumed } };
}

const timeText = (at: number): string => new Date(at).toISOString();

function listText(rolls: readonly ListedRoll[], view: TableView): string {
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
    rolls.map(({ name, state, reason, asked }) => [
      name,
      asked?.groups.map(({ autoScalingGroupName }) => autoScalingGroupName).join(',') ?? '-',
      asked?.startedAt ?? '-',
      asked?.by ?? '-',
      state,
      reason,
    ]),
    view,
  );
}
