import { type Cron, matchesAfter, parseCron } from './cron.ts';
import { momentOf, type WallClock, wallClockAt } from './time-zone.ts';

/** When a schedule runs. */
export interface Timing {
  readonly expression: Expression;
  readonly timeZone: string;
  /** Epoch milliseconds. Scheduler does not run the schedule before `from` or after `to`. */
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
 * Every occurrence after a moment, in order. EventBridge Scheduler does not run a time that clocks skip in spring, and runs a time that they
 * repeat in autumn once (user guide, "Daylight savings time"): the first time.
 */
export function* occurrencesAfter(timing: Timing, after: number): Generator<Occurrence> {
  const { expression, timeZone, from = -Infinity, to = Infinity } = timing;
  const start = Math.max(after, from - 1);
  // A clock never shows an earlier time at a later moment, except in a repeated hour, where the first time counts.
  for (const wallClock of timesAfter(expression, wallClockAt(start, timeZone))) {
    const at = momentOf(wallClock, timeZone);
    if (at === undefined) yield { kind: 'left-out', wallClock };
    else if (at > to) return;
    else if (at > start) yield { kind: 'runs', wallClock, at };
  }
}

/** When a schedule runs, without its time zone. */
type Expression =
  | { readonly kind: 'cron'; readonly cron: Cron }
  | { readonly kind: 'at'; readonly wallClock: WallClock };

/**
 * Parses `cron(0 8 ? * MON-FRI *)` or `at(2026-12-24T08:00:00)`; undefined for anything else. A rate is not accepted, because it has no time
 * of day at which nodes could be Ready.
 */
export function parseExpression(text: string): Expression | undefined {
  const [, form, body = ''] = /^(cron|at)\(([^()]*)\)$/.exec(text) ?? [];
  if (form === 'cron') {
    const cron = parseCron(body.trim());
    return cron && { kind: 'cron', cron };
  }
  const wallClock = form === 'at' ? parseWallClock(body.trim()) : undefined;
  return wallClock === undefined ? undefined : { kind: 'at', wallClock };
}

/** A date such as 30 February is not valid, although `Date` would read it as a date of the next month. */
function parseWallClock(text: string): WallClock | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) return undefined;
  const wallClock = Date.parse(`${text}Z`);
  return new Date(wallClock).getTime() === wallClock && new Date(wallClock).toISOString().startsWith(text)
    ? wallClock
    : undefined;
}

/** Every time after a given time at which the expression runs, in order, in a calendar without time zone. */
export function* timesAfter(expression: Expression, after: WallClock): Generator<WallClock> {
  if (expression.kind === 'cron') yield* matchesAfter(expression.cron, after);
  else if (expression.wallClock > after) yield expression.wallClock;
}
