import type { CapacityView } from './types.ts';

/** The part of time that a time line shows, in epoch milliseconds. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How much of the window lies before now. */
const past = 0.15;

const spans = [
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  16 * hour,
  day,
  3 * day,
  8 * day,
  35 * day,
];
const steps = [
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  day,
  2 * day,
  7 * day,
];

/** The shortest window with the ends of all holds and of the next occurrence of each schedule. It moves by whole minutes. */
export function windowOf(capacities: readonly CapacityView[], now: number): TimeWindow {
  const ends = capacities.flatMap(({ holds, schedules }) => [
    ...holds.map(({ until }) => until),
    ...schedules
      .flatMap(({ occurrences }) => occurrences.find(({ kind }) => kind === 'hold') ?? [])
      .flatMap((occurrence) => (occurrence.kind === 'hold' ? [occurrence.until] : [])),
  ]);
  const furthest = Math.max(0, ...ends.map((end) => end - now));
  const span = spans.find((each) => each * (1 - past) >= furthest * 1.05) ?? 35 * day;
  const from = Math.floor((now - span * past) / minute) * minute;
  return { from, to: from + span };
}

/** Where a moment is, in percent of the width; before and after the window it is at its edge. */
export const percentOf = (at: number, { from, to }: TimeWindow): number =>
  Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100));

/** The moments with a label: at most eight, on whole steps. */
export function ticksOf({ from, to }: TimeWindow): readonly number[] {
  const step = steps.find((each) => (to - from) / each <= 8) ?? 7 * day;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step);
}

/** `08:00`, or `Mon 08:00` and `Mon 5` where the window is of days. */
export function tickLabel(at: number, { from, to }: TimeWindow): string {
  const date = new Date(at);
  const time = date.toISOString().slice(11, 16);
  if (to - from <= day) return time;
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][date.getUTCDay()];
  return to - from <= 3 * day ? `${weekday} ${time}` : `${weekday} ${date.getUTCDate()}`;
}
