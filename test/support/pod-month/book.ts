import type { Bounds } from '../../../shared/capacity/groups.ts';
import type { AutoScaling } from './auto-scaling.ts';
import { type App, apps, type Cluster, nodeCpu } from './cluster.ts';
import type { PlannedHold } from './plan.ts';

/** A hold that people rely on. */
export interface BookedHold extends PlannedHold {
  /** Epoch milliseconds at which it is created, at the earliest. */
  readonly from: number;
  readonly until: number;
  /** When its room has to be there. */
  readonly reliedFrom: number;
  /** The pods of a Job were all there, so its hold may have ended. */
  readonly isArrived?: true;
}

/** What people know: which holds there are, and what the sizes of groups are without them. */
export type Book = ReturnType<typeof createBook>;

/** There are several values if it cannot be known which change was the last. */
interface Bases {
  readonly minSize: ReadonlySet<number>;
  readonly maxSize: ReadonlySet<number>;
}

export function createBook() {
  const holds = new Map<string, BookedHold>();
  const bases = new Map<string, Bases>();
  const keyOf = ({ group, name }: Pick<BookedHold, 'group' | 'name'>): string => `${group}/${name}`;
  return {
    booked: (hold: BookedHold): void => void holds.set(keyOf(hold), hold),
    find: (hold: Pick<BookedHold, 'group' | 'name'>): BookedHold | undefined => holds.get(keyOf(hold)),
    activeIn: (group: string, now: number): readonly BookedHold[] =>
      [...holds.values()].filter((hold) => hold.group === group && hold.from <= now && now < hold.until),
    basesOf: (group: string): Bases => bases.get(group) ?? { minSize: new Set(), maxSize: new Set() },
    setBases: (group: string, { minSize, maxSize }: Bounds): void =>
      void bases.set(group, { minSize: new Set([minSize]), maxSize: new Set([maxSize]) }),
    /** These may be the bases as well. */
    addBases: (group: string, also: Bases): void => {
      const { minSize, maxSize } = bases.get(group) ?? also;
      bases.set(group, {
        minSize: new Set([...minSize, ...also.minSize]),
        maxSize: new Set([...maxSize, ...also.maxSize]),
      });
    },
  };
}

interface Seen {
  readonly cluster: Cluster;
  readonly autoScaling: AutoScaling;
}

/** Pods that are not there, by the app, or by the name of the hold for headroom. A pod on a node that leaves is not there for long. */
export function openPods(
  holds: readonly BookedHold[],
  { cluster }: Seen,
): ReadonlyMap<string, { app: App; count: number }> {
  const leaving = new Set(cluster.nodes().flatMap(({ name, isLeaving }) => (isLeaving ? [name] : [])));
  const open = new Map<string, { app: App; count: number }>();
  for (const { name, asks } of holds) {
    if (asks.kind === 'nodes') continue;
    const { app, total } = asks;
    const there = cluster.bound(app).filter(({ nodeName = '' }) => !leaving.has(nodeName)).length;
    const key = asks.kind === 'headroom' ? `headroom ${name}` : app;
    const count = asks.kind === 'headroom' ? total : Math.max(0, total - there);
    if (count > (open.get(key)?.count ?? 0)) open.set(key, { app, count });
  }
  return open;
}

/** How many of the open pods have no room on the Ready nodes of a group: the large ones first, each on the node with the most room. */
export function withoutRoom(group: string, holds: readonly BookedHold[], seen: Seen): number {
  const { cluster, autoScaling } = seen;
  const free = cluster
    .nodes()
    .filter((node) => node.pool === group && cluster.isOpen(node) && autoScaling.isInService(node.instanceId))
    .map(({ name }) => cluster.freeOn(name));
  const sizes = [...openPods(holds, seen).values()].flatMap(({ app, count }) =>
    Array.from({ length: count }, () => apps[app].cpu),
  );
  let lacking = 0;
  for (const cpu of sizes.toSorted((one, other) => other - one)) {
    const most = free.indexOf(Math.max(...free));
    const room = free[most] ?? 0;
    if (room < cpu) lacking += 1;
    else free[most] = room - cpu;
  }
  return lacking;
}

/** More nodes than these are never needed for what runs in a group and what is open: each app on nodes of its own. */
export function mostNodesFor(group: string, holds: readonly BookedHold[], seen: Seen): number {
  const { cluster, autoScaling } = seen;
  const own = cluster.nodes().filter(({ pool, isLeaving }) => pool === group && !isLeaving);
  const counting = own.filter(({ instanceId }) => autoScaling.isInService(instanceId));
  const counts = new Map<string, { app: App; count: number }>(openPods(holds, seen));
  for (const { name } of counting)
    for (const { app, isTerminating } of cluster.podsOn(name))
      if (!isTerminating) counts.set(app, { app, count: (counts.get(app)?.count ?? 0) + 1 });
  const forPods = [...counts.values()].reduce(
    (sum, { app, count }) => sum + Math.ceil(count / Math.floor(nodeCpu / apps[app].cpu)),
    0,
  );
  return forPods + counting.filter((node) => !cluster.isOpen(node)).length;
}
