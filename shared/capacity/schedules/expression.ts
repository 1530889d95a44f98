import { type Cron, matchesAfter, parseCron } from './cron.ts';
import type { WallClock } from './time-zone.ts';

/** When a schedule runs, without its time zone. */
export type Expression =
  | { readonly kind: 'cron'; readonly cron: Cron }
  | { readonly kind: 'at'; readonly wallClock: WallClock };

/**
 * Reads `cron(0 8 ? * MON-FRI *)` or `at(2026-12-24T08:00:00)`; undefined for anything else. A rate has no time of the day at which
 * nodes could be Ready, so it is none.
 */
export function parseExpression(text: string): Expression | undefined {
  const [, form, body = ''] = /^(cron|at)\(\s*([^()]*?)\s*\)$/.exec(text) ?? [];
  if (form === 'cron') {
    const cron = parseCron(body);
    return cron && { kind: 'cron', cron };
  }
  const wallClock = form === 'at' ? parseWallClock(body) : undefined;
  return wallClock === undefined ? undefined : { kind: 'at', wallClock };
}

/** A date that its month does not have is none; `Date` would read it as one of the next month. */
function parseWallClock(text: string): WallClock | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) return undefined;
  const wallClock = Date.parse(`${text}Z`);
  return new Date(wallClock).getTime() === wallClock && new Date(wallClock).toISOString().startsWith(text)
    ? wallClock
    : undefined;
}

/** Every time after one at which the expression runs, in order, as a calendar without time zone has it. */
export function* timesAfter(expression: Expression, after: WallClock): Generator<WallClock> {
  if (expression.kind === 'cron') yield* matchesAfter(expression.cron, after);
  else if (expression.wallClock > after) yield expression.wallClock;
}
