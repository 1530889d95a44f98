import type { AutoScalingGroup } from '../../groups/group.ts';
import type { Bounds } from '../groups.ts';
import type { FloorRecord } from './floor-record.ts';
import { type Hold, type HoldReading, isActive } from './hold.ts';

/** The bounds that differ from those of the group. */
export const changedBounds = (group: Bounds, { minSize, maxSize }: Bounds): Partial<Bounds> => ({
  ...(minSize !== group.minSize && { minSize }),
  ...(maxSize !== group.maxSize && { maxSize }),
});

/** The active holds that can be read. */
export const activeHolds = (holds: readonly HoldReading[], now: number): readonly Hold[] =>
  holds.flatMap((reading) => (reading.kind === 'hold' && isActive(reading.hold, now) ? [reading.hold] : []));

/** The facts from which the bounds follow, besides the base. */
interface Asking {
  readonly group: AutoScalingGroup;
  readonly holds: readonly HoldReading[];
  readonly maxSizeLimit: number;
  readonly now: number;
}

/** The bounds that a base and the active holds ask for, whatever the desired capacity is. Pure. */
export function askedBounds(base: Bounds, { group, holds, maxSizeLimit, now }: Asking): Bounds {
  const active = activeHolds(holds, now);
  const raising = active.flatMap((hold) =>
    hold.raiseMaxSize ? [{ ...hold, nodes: Math.min(hold.nodes, maxSizeLimit) }] : [],
  );
  return {
    minSize: Math.min(highest(base.minSize, active), group.maxSize),
    maxSize: highest(base.maxSize, raising),
  };
}

/**
 * The bounds that the base and the active holds ask for. MinSize is the highest of them, at most MaxSize. MaxSize is raised for holds with
 * `raiseMaxSize`, and is lowered only when the desired capacity fits: otherwise Auto Scaling would terminate nodes. Pure.
 */
export function boundsFor(
  record: Pick<FloorRecord, 'minSize' | 'maxSize'>,
  asking: Asking,
): { readonly bounds: Bounds; readonly problems: readonly string[] } {
  const { group, holds, maxSizeLimit, now } = asking;
  const active = activeHolds(holds, now);
  const { maxSize: asked } = askedBounds(basesOf(record), asking);
  const isTooSmall = asked < group.desiredCapacity && asked < group.maxSize;
  const maxSize = isTooSmall ? group.maxSize : asked;
  const minSize = Math.min(highest(record.minSize.base, active), maxSize);
  return {
    bounds: { minSize, maxSize },
    problems: [
      ...holds.flatMap((reading) => (reading.kind === 'unreadable' ? [unreadableHold(reading)] : [])),
      ...active
        .filter(({ nodes }) => nodes > maxSize)
        .map((hold) => beyondMaxSize(hold, { maxSize, maxSizeLimit })),
      ...(isTooSmall
        ? [
            `MaxSize stays ${maxSize} until the desired capacity (${group.desiredCapacity}) is at most ${asked}, so that no node is terminated for it`,
          ]
        : []),
    ],
  };
}

/** The bounds of the group without holds. */
export const basesOf = ({ minSize, maxSize }: Pick<FloorRecord, 'minSize' | 'maxSize'>): Bounds => ({
  minSize: minSize.base,
  maxSize: maxSize.base,
});

const highest = (base: number, holds: readonly Hold[]): number =>
  Math.max(base, ...holds.map(({ nodes }) => nodes));

const unreadableHold = ({ name, why }: { readonly name: string; readonly why: string }): string =>
  `hold ${name} cannot be read (${why}), so MinSize and MaxSize are not lowered: write its parameter again, or delete it`;

const beyondMaxSize = (
  { name, nodes, pods, raiseMaxSize }: Hold,
  { maxSize, maxSizeLimit }: { readonly maxSize: number; readonly maxSizeLimit: number },
): string =>
  `hold ${name} ${pods ? `asks for ${pods.total} pods: with what runs in the group that takes` : 'asks for'} ${nodes} nodes, and MaxSize is ${maxSize}: ${
    raiseMaxSize
      ? `a hold raises it to ${maxSizeLimit} at most (the parameter maxSizeLimit of the deployment)`
      : 'raise MaxSize, or let the hold raise it'
  }`;
