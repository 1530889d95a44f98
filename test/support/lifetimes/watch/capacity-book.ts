import type { DroverWorld } from '../../../../local/world/drover-world.ts';
import { boundsOf } from '../../../../local/world/holds.ts';

/** A hold as its maker knows it, whatever Drover does with it. Times in epoch milliseconds. */
export interface BookedHold {
  readonly autoScalingGroupName: string;
  readonly name: string;
  readonly nodes: number;
  readonly raiseMaxSize: boolean;
  readonly from: number;
  readonly until: number;
  /** When it was made, extended or ended. */
  readonly changedAt: number;
}

interface SetByOthers {
  readonly at: number;
  readonly minSize: number;
  readonly maxSize: number;
}

/** Keeps book of what people and other tools asked of the groups' bounds. */
export interface CapacityBook {
  /** The history calls this when it has made, extended or ended a hold. */
  booked(hold: Omit<BookedHold, 'changedAt'>): void;
  find(autoScalingGroupName: string, name: string): BookedHold | undefined;
  holdsOf(autoScalingGroupName: string): readonly BookedHold[];
  /** The history calls this when another tool has set the bounds. */
  setByOthers(
    autoScalingGroupName: string,
    bounds: { readonly minSize: number; readonly maxSize?: number },
  ): void;
  /**
   * A change of Drover, sent at `calledAt`, was applied. Auto Scaling has no compare-and-swap, so it overwrites what another tool has set
   * since, unseen: the tool has to set it again (docs/capacity.md).
   */
  setByDrover(autoScalingGroupName: string, calledAt: number): void;
  /** The history calls this when something has deleted the record of the group's bounds. */
  recordLost(autoScalingGroupName: string): void;
  recordLostAt(autoScalingGroupName: string): number | undefined;
  /** What other tools have set the bounds to, oldest first; the first are those that the group was made with. */
  basesOf(autoScalingGroupName: string): readonly SetByOthers[];
  baseOf(autoScalingGroupName: string): SetByOthers;
  boundsOf(autoScalingGroupName: string): {
    readonly minSize: number;
    readonly maxSize: number;
    readonly desiredCapacity: number;
  };
}

export function createCapacityBook(world: DroverWorld): CapacityBook {
  const holds = new Map<string, BookedHold>();
  const bases = new Map<string, readonly SetByOthers[]>();
  const losses = new Map<string, number>();
  const bounds = (group: string) => {
    const { minSize = 0, maxSize = 0, desiredCapacity = 0 } = boundsOf(world, group);
    return { minSize, maxSize, desiredCapacity };
  };
  const basesOf = (group: string): readonly SetByOthers[] => {
    const known = bases.get(group) ?? [{ at: -Infinity, ...bounds(group) }];
    bases.set(group, known);
    return known;
  };
  const baseOf = (group: string): SetByOthers =>
    basesOf(group).at(-1) ?? { at: -Infinity, minSize: 0, maxSize: 0 };
  return {
    booked: (hold) => {
      basesOf(hold.autoScalingGroupName);
      holds.set(`${hold.autoScalingGroupName}/${hold.name}`, { ...hold, changedAt: world.clock.now() });
    },
    find: (group, name) => holds.get(`${group}/${name}`),
    holdsOf: (group) =>
      [...holds.values()].filter(({ autoScalingGroupName }) => autoScalingGroupName === group),
    setByOthers: (group, { minSize, maxSize = baseOf(group).maxSize }) => {
      bases.set(group, [...basesOf(group), { at: world.clock.now(), minSize, maxSize }]);
    },
    setByDrover: (group, calledAt) => {
      const { minSize } = bounds(group);
      const kept = basesOf(group).filter((base) => base.at <= calledAt || base.minSize === minSize);
      bases.set(group, kept);
    },
    recordLost: (group) => void losses.set(group, world.clock.now()),
    recordLostAt: (group) => losses.get(group),
    basesOf,
    baseOf,
    boundsOf: bounds,
  };
}
