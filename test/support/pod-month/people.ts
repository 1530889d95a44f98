import type { VirtualClock } from '@drover/cloud-sandbox/simulation';
import { createHold, endHold, extendHold } from '../../../shared/capacity/holds/change-holds.ts';
import { readFloorRecord } from '../../../shared/capacity/holds/floor-record.ts';
import { floorParameterOf } from '../../../shared/capacity/holds/parameters.ts';
import type { PodRequest } from '../../../shared/capacity/pod-holds/pod-request.ts';
import type { Dice } from '../lifetimes/plan/dice.ts';
import type { AutoScaling } from './auto-scaling.ts';
import type { Book } from './book.ts';
import { apps, type Cluster } from './cluster.ts';
import type { createJudge } from './judge.ts';
import { type ParameterStore, paths } from './parameters.ts';
import { type Deed, minute, type PlannedHold } from './plan.ts';
import { podSpecOf } from './plan-cluster.ts';
import type { Prewarm } from './prewarm.ts';

export interface Month {
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly book: Book;
  readonly cluster: Cluster;
  readonly autoScaling: AutoScaling;
  readonly store: ParameterStore;
  readonly judge: ReturnType<typeof createJudge>;
  readonly prewarm: Prewarm;
}

/** When the room of a hold that is made now has to be there: after a scan, a launch, a join, and what may delay them. */
const reliedAfter = 17 * minute;

/** The request of a hold for pods. */
export function requestOf({ asks }: Pick<PlannedHold, 'asks'>): PodRequest | undefined {
  if (asks.kind === 'nodes') return undefined;
  const { app, total } = asks;
  return {
    namespace: 'shop',
    total,
    template: { labels: { app }, spec: podSpecOf(app) },
    ...(asks.kind !== 'headroom' && { selector: { matchLabels: { app } } }),
    ...(asks.kind === 'job' && { endsOnceBound: true as const }),
  };
}

/** Does what an operator, a pipeline or another tool does. */
export async function doDeed(month: Month, deed: Deed): Promise<void> {
  const { clock, book, cluster, store, judge, prewarm, dice } = month;
  const now = clock.now();
  judge.note(now, JSON.stringify(deed));
  const holdStore = { parameters: store.direct, paths, now };
  switch (deed.kind) {
    case 'hold': {
      const { group, name, asks, raiseMaxSize } = deed.hold;
      const pods = requestOf(deed.hold);
      const until = now + deed.minutes * minute;
      const nodes = asks.kind === 'nodes' ? asks.nodes : 0;
      await createHold(holdStore, {
        hold: {
          autoScalingGroupName: group,
          name,
          nodes,
          ...(pods && { pods }),
          until,
          raiseMaxSize,
          createdAt: now,
        },
      });
      book.booked({ ...deed.hold, from: now, until, reliedFrom: now + reliedAfter });
      judge.disturb(group, now);
      return;
    }
    case 'extend':
    case 'end': {
      const known = book.find(deed.hold);
      if (known === undefined || known.until <= now + 3 * minute) return;
      const place = { autoScalingGroupName: known.group, name: known.name };
      const until = deed.kind === 'end' ? now : known.until + 45 * minute;
      if (deed.kind === 'end') await endHold(holdStore, place);
      else await extendHold(holdStore, place, until);
      book.booked({ ...known, until });
      judge.disturb(known.group, now);
      return;
    }
    case 'scale':
      cluster.scale(deed.app, deed.replicas);
      judge.disturb(apps[deed.app].pool, now);
      return;
    case 'two-scans':
      void prewarm.scan();
      clock.after(dice.integer(300, 2000), () => {
        cluster.scale(deed.app, deed.replicas);
        cluster.settle();
        judge.disturb(apps[deed.app].pool, clock.now());
      });
      clock.after(dice.integer(500, 4000), () => void prewarm.scan());
      return;
    case 'repeat-message':
      prewarm.repeatMessage();
      return;
    default:
      changeGroup(month, deed);
  }
}

type GroupDeed = Exclude<
  Deed,
  { readonly kind: 'hold' | 'extend' | 'end' | 'scale' | 'two-scans' | 'repeat-message' }
>;

function changeGroup(month: Month, deed: GroupDeed): void {
  const { clock, book, cluster, autoScaling, judge, dice } = month;
  const { group } = deed;
  const now = clock.now();
  const sizes = autoScaling.sizes(group);
  if (sizes === undefined) return;
  const { minSize, maxSize } = sizes;
  const served = cluster
    .nodes()
    .filter(
      (node) => node.pool === group && cluster.isOpen(node) && autoScaling.isInService(node.instanceId),
    );
  const node = served.length > 0 ? dice.pick(served) : undefined;
  judge.disturb(group, now);
  switch (deed.kind) {
    case 'set-min':
      if (deed.size <= maxSize) setBounds(month, group, { minSize: deed.size });
      return;
    case 'lower-max': {
      // Auto Scaling refuses a MaxSize below MinSize, so both are set.
      const least = Math.min(...book.basesOf(group).minSize);
      setBounds(month, group, { minSize: Math.min(least, deed.size), maxSize: deed.size });
      return;
    }
    case 'raise-max':
      if (deed.size >= minSize) setBounds(month, group, { maxSize: deed.size });
      return;
    case 'set-desired':
      autoScaling.update(group, { desiredCapacity: minSize + Math.round(deed.share * (maxSize - minSize)) });
      return;
    case 'cordon':
      if (node === undefined) return;
      node.isCordoned = true;
      clock.after(dice.integer(30, 200) * minute, () => {
        if (!node.isLeaving) node.isCordoned = false;
        judge.disturb(group, clock.now());
      });
      return;
    case 'terminate':
      if (node) autoScaling.terminate(group, node.instanceId, { replaces: true });
      return;
    case 'standby': {
      if (node === undefined) return;
      const { instanceId } = node;
      autoScaling.enterStandby(group, instanceId);
      clock.after(dice.integer(30, 120) * minute, () => {
        autoScaling.exitStandby(group, instanceId);
        judge.disturb(group, clock.now());
      });
      return;
    }
    case 'replace-group': {
      const before = book.basesOf(group);
      autoScaling.delete(group);
      clock.after(dice.integer(20, 400) * 1000, () => {
        const bounds = { minSize: dice.integer(1, 3), maxSize: dice.integer(9, 12) };
        autoScaling.create(group, bounds);
        book.setBases(group, bounds);
        noteDoubts(month, group, before);
        judge.disturb(group, clock.now());
      });
    }
  }
}

function setBounds(
  month: Month,
  group: string,
  bounds: { readonly minSize?: number; readonly maxSize?: number },
): void {
  const { autoScaling, book } = month;
  const before = book.basesOf(group);
  const [minBase = 0] = before.minSize;
  const [maxBase = 0] = before.maxSize;
  autoScaling.update(group, bounds);
  // A bound that is not set keeps its base, also if several are possible.
  book.setBases(group, { minSize: minBase, maxSize: maxBase, ...bounds });
  book.addBases(group, {
    minSize: bounds.minSize === undefined ? before.minSize : new Set(),
    maxSize: bounds.maxSize === undefined ? before.maxSize : new Set(),
  });
  noteDoubts(month, group, before);
}

/**
 * A value that Drover has set itself, or will set within minutes, is not known as a change by another tool: then the old base may stay. No tool can
 * distinguish the two.
 */
function noteDoubts(
  { clock, book, store, autoScaling }: Month,
  group: string,
  before: ReturnType<Book['basesOf']>,
): void {
  const check = (): void => {
    const reading = readFloorRecord(store.texts.get(floorParameterOf(paths, group)));
    if (reading.kind !== 'record') return;
    const { minSize, maxSize, pods } = reading.record;
    const { maxSize: most = 0 } = autoScaling.sizes(group) ?? {};
    const holds = book
      .activeIn(group, clock.now())
      .map(({ asks }) => (asks.kind === 'nodes' ? asks.nodes : (pods?.nodes ?? 0)));
    const ours = new Set([
      ...minSize.ours,
      ...maxSize.ours,
      ...holds.flatMap((size) => [size, Math.min(size, most)]),
    ]);
    const bases = book.basesOf(group);
    const isDoubted = (sizes: ReadonlySet<number>): boolean => [...sizes].some((size) => ours.has(size));
    book.addBases(group, {
      minSize: isDoubted(bases.minSize) ? before.minSize : new Set(),
      maxSize: isDoubted(bases.maxSize) ? before.maxSize : new Set(),
    });
  };
  check();
  for (const minutes of [1, 2, 3, 4]) clock.after(minutes * minute, check);
}
