import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { TableView } from './column.ts';

/** From this many seconds on, the unit is used: two of it say more than one. */
const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const;

/** The time between two in its largest unit, of which there are at least two: `90s`, `4m`, `47h`, `3d`. */
function spanText(seconds: number): string {
  const [unit, size] = units.find(([, size]) => seconds >= 2 * size) ?? ['s', 1];
  return `${Math.floor(seconds / size)}${unit}`;
}

/** A time relative to now on a terminal, `4m ago` or `in 2h`; elsewhere in UTC. */
export function timeText(time: number, now: number, { columns }: TableView): string {
  if (columns === undefined) return isoSeconds(time);
  const seconds = Math.round((time - now) / 1000);
  if (seconds === 0) return 'now';
  return seconds > 0 ? `in ${spanText(seconds)}` : `${spanText(-seconds)} ago`;
}
