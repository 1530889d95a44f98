import { durationText } from '../../../shared/base/duration.ts';
import type { Snapshot } from '../../../shared/etcd/snapshots/names.ts';
import { planRetention, restorableAmong } from '../../../shared/etcd/snapshots/retention.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { endIfInterrupted, type InterruptibleContext, unlessInterrupted } from '../../interruption.ts';
import type { ListingFlags } from '../../listing/flags.ts';
import { printListing } from '../../listing/print.ts';
import { named, sentence, type TableView } from '../../table/column.ts';
import { tableText } from '../../table/table.ts';
import { listSnapshots, type SnapshotStore, snapshotStore } from './access.ts';
import type { BucketFlags } from './flags.ts';

export interface ListFlags extends BucketFlags, ListingFlags {
  readonly prune?: true;
  readonly keep: number;
  readonly days: number;
  readonly dryRun?: true;
}

type SnapshotVerdict = 'keep' | 'removed' | 'would remove' | '';

/** `drover etcd snapshots`: what there is, newest first; with `--prune` what is not kept goes. */
export async function snapshots(flags: ListFlags, context: InterruptibleContext): Promise<void> {
  if (flags.dryRun && !flags.prune) throw new CliError('--dry-run needs --prune', exitCodes.usage);
  const store = snapshotStore(flags, context);
  const all = await unlessInterrupted(listSnapshots(store), context, 'nothing was removed');
  const now = context.clock.now();
  const { remove } = flags.prune ? planRetention(all, now, flags) : { remove: [] };
  const gone = new Set(remove.map(({ key }) => key));
  if (!flags.dryRun) await removeAll(remove, store, context);
  const verdictOn = ({ key, doubt }: Snapshot): SnapshotVerdict => {
    if (!flags.prune || doubt !== undefined) return '';
    if (!gone.has(key)) return 'keep';
    return flags.dryRun ? 'would remove' : 'removed';
  };
  const listing = {
    data: jsonOf(all, verdictOn),
    names: all.map(({ key }) => key),
    text: (view: TableView) => textOf(all, { now, verdictOn, view, address: store.address }),
  };
  await printListing(listing, flags, context);
}

/** One after the other: between two of them is a safe point. */
async function removeAll(
  remove: readonly Snapshot[],
  { bucket }: Pick<SnapshotStore, 'bucket'>,
  context: InterruptibleContext,
): Promise<void> {
  for (const [removed, { key }] of remove.entries()) {
    endIfInterrupted(context, `of ${remove.length} snapshots ${removed} were removed; --prune again goes on`);
    await bucket.remove(key);
  }
}

const jsonOf = (all: readonly Snapshot[], verdictOn: (snapshot: Snapshot) => SnapshotVerdict) =>
  all.map((snapshot) => ({
    ...snapshot,
    takenAt: new Date(snapshot.takenAt).toISOString(),
    storedAt: new Date(snapshot.storedAt).toISOString(),
    ...(verdictOn(snapshot) && { verdict: verdictOn(snapshot) }),
  }));

const head = [
  named('SNAPSHOT'),
  { head: 'CLUSTER', leftOut: 2 },
  'AGE',
  { head: 'BYTES', leftOut: 1 },
  sentence(''),
];

function textOf(
  all: readonly Snapshot[],
  {
    now,
    verdictOn,
    view,
    address,
  }: {
    readonly address: string;
    readonly now: number;
    readonly verdictOn: (snapshot: Snapshot) => SnapshotVerdict;
    readonly view: TableView;
  },
): string {
  if (all.length === 0) return `there are no snapshots in ${address}\n`;
  const restorable = new Set(restorableAmong(all));
  const noteOn = (snapshot: Snapshot): string => {
    if (snapshot.doubt !== undefined) return `ignored: ${snapshot.doubt}`;
    const skipped = restorable.has(snapshot)
      ? []
      : ['restore skips it: an earlier one has a higher revision'];
    return [verdictOn(snapshot), ...skipped].filter(Boolean).join('; ');
  };
  const rows = all.map((snapshot) => [
    snapshot.key,
    snapshot.clusterId,
    durationText((now - snapshot.takenAt) / 1000),
    String(snapshot.bytes),
    noteOn(snapshot),
  ]);
  return tableText(head, rows, view);
}
