import type { TimeWindow } from './time-window.ts';
import type { CapacityView } from './types.ts';

/** From a moment on, the floor is this. */
export interface FloorStep {
  readonly at: number;
  readonly floor: number;
}

/** A stretch in which so many nodes are asked for. */
interface Stretch {
  readonly from: number;
  readonly until: number;
  readonly nodes: number;
}

/** The floor over time: the highest of the base, the holds, and the holds that schedules will make. Pure. */
export function floorSteps(capacity: CapacityView, { from, to }: TimeWindow): readonly FloorStep[] {
  const stretches = stretchesOf(capacity);
  const moments = [from, ...stretches.flatMap((one) => [one.from, one.until])]
    .filter((at) => at >= from && at <= to)
    .toSorted((one, other) => one - other);
  const floorAt = (at: number): number =>
    Math.max(
      capacity.base ?? 0,
      ...stretches.filter((one) => one.from <= at && at < one.until).map(({ nodes }) => nodes),
    );
  return moments
    .map((at) => ({ at, floor: floorAt(at) }))
    .filter(({ floor }, index, all) => index === 0 || floor !== all[index - 1]?.floor);
}

const stretchesOf = ({ holds, schedules }: CapacityView): readonly Stretch[] => [
  ...holds
    .filter(({ state }) => state !== 'over')
    .map(({ from = -Infinity, until, nodes }) => ({ from, until, nodes })),
  ...schedules
    .filter(({ paused }) => !paused)
    .flatMap(({ occurrences, nodes }) =>
      occurrences.flatMap((occurrence) =>
        occurrence.kind === 'hold' ? [{ from: occurrence.madeAt, until: occurrence.until, nodes }] : [],
      ),
    ),
];
