import { type Expression, timesAfter } from './expression.ts';
import { momentOf, type WallClock, wallClockAt } from './time-zone.ts';

/** When a schedule runs. */
export interface Timing {
  readonly expression: Expression;
  readonly timeZone: string;
  /** Epoch milliseconds; Scheduler runs it neither before `from` nor after `to`. */
  readonly from?: number;
  readonly to?: number;
}

/**
 * - `runs`: at this moment;
 * - `left-out`: clocks in the time zone never show this time, so Scheduler does not run it.
 */
export type Occurrence =
  | { readonly kind: 'runs'; readonly wallClock: WallClock; readonly at: number }
  | { readonly kind: 'left-out'; readonly wallClock: WallClock };

/**
 * Every occurrence after a moment, in order. EventBridge Scheduler does not run a time that spring's change leaves out, and runs one
 * that autumn's change repeats once (user guide, "Daylight savings time"): the first time, since it does not repeat it.
 */
export function* occurrencesAfter(timing: Timing, after: number): Generator<Occurrence> {
  const { expression, timeZone, from = -Infinity, to = Infinity } = timing;
  const start = Math.max(after, from - 1);
  // A clock never shows an earlier time at a later moment, except within a repeated hour, of which the first time counts.
  for (const wallClock of timesAfter(expression, wallClockAt(start, timeZone))) {
    const at = momentOf(wallClock, timeZone);
    if (at === undefined) yield { kind: 'left-out', wallClock };
    else if (at > to) return;
    else if (at > start) yield { kind: 'runs', wallClock, at };
  }
}
