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

/** What an expression that `parseExpression` does not know lacks, for the person that wrote it. */
export function whyNotKnown(text: string): string {
  const why = `Drover does not know when ${text} runs`;
  if (text.startsWith('at(')) return `${why}: write at(2026-12-24T08:00:00), without an offset from UTC`;
  const fields = /^cron\(\s*(.*?)\s*\)$/.exec(text)?.[1]?.split(/\s+/);
  const example = 'such as cron(0 8 ? * MON-FRI *)';
  if (fields === undefined) return `${why}: write cron(...) or at(...), ${example}`;
  if (fields.length !== 6)
    return `${why}: it needs six fields (minutes, hours, day of month, month, day of week, year), ${example}`;
  return (fields[2] === '?') === (fields[4] === '?')
    ? `${why}: exactly one of day of month and day of week must be ?, ${example}`
    : `${why}: see the cron expressions of EventBridge Scheduler, ${example}`;
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
