import { askedOf } from '../../lifetimes/rules/capacity.ts';
import type { BookedHold, CapacityBook } from '../../lifetimes/watch/capacity-book.ts';

/** For this time after a disturbance the floor may be wrong. */
export const graceMilliseconds = 360_000;
const clockMilliseconds = 91_000;

/** What the makers of holds may expect from a group at a moment. */
export interface Expected {
  /** MinSize is between these: the highest of the base and the holds that certainly exist, and the same with the holds that may exist. */
  readonly least: number;
  readonly most: number;
  /** The nodes that the holds that certainly exist ask for, whatever MaxSize is. */
  readonly asked: number;
  /** The same, at most MaxSize. */
  readonly given: number;
}

export function expectedOf(book: CapacityBook, group: string, now: number): Expected {
  const base = book.baseOf(group);
  const holds = book.holdsOf(group);
  const sure = holds.filter((hold) => surelyStands(hold, now));
  const given = highest(sure.map((hold) => askedOf(hold, base.maxSize)));
  const possible = holds.filter(({ until }) => now < until + graceMilliseconds);
  return {
    least: Math.max(base.minSize, given),
    most: Math.max(base.minSize, highest(possible.map(({ nodes }) => nodes))),
    asked: highest(sure.map(({ nodes }) => nodes)),
    given,
  };
}

const highest = (sizes: readonly number[]): number => Math.max(0, ...sizes);

const surelyStands = ({ from, changedAt, until }: BookedHold, now: number): boolean =>
  Math.max(from, changedAt) + graceMilliseconds <= now && now < until - clockMilliseconds;
