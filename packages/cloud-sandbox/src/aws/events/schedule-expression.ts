import { type Cron, nextCron, parseCron } from './cron.ts';
import { isLocalTime, toUtc } from './time-zone.ts';

/** When something runs. */
export type Schedule =
  | { readonly kind: 'rate'; readonly milliseconds: number }
  | { readonly kind: 'cron'; readonly cron: Cron }
  | { readonly kind: 'at'; readonly local: string };

const unitMilliseconds: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/**
 * `rate(5 minutes)`, `cron(0 8 ? * MON-FRI *)` or `at(2026-11-21T08:00:00)`; undefined when it is none of them.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html and
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export function parseSchedule(expression: string): Schedule | undefined {
  const [, form = '', body = ''] = /^(rate|cron|at)\(([^)]*)\)$/.exec(expression) ?? [];
  if (form === 'rate') return parseRate(body);
  if (form === 'cron') {
    const cron = parseCron(body);
    return cron && { kind: 'cron', cron };
  }
  return form === 'at' && isLocalTime(body) ? { kind: 'at', local: body } : undefined;
}

/** A rule's rate has a unit that agrees with its number (`1 minute`, `5 minutes`); Scheduler takes either. */
export const unitAgrees = (expression: string): boolean =>
  !/^rate\((?:0*1 \w+s|(?!0*1 )\d+ \w+[^s])\)$/.test(expression);

function parseRate(body: string): Schedule | undefined {
  const [, digits = '', unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(body) ?? [];
  const milliseconds = unitMilliseconds[unit];
  const count = Number(digits);
  if (milliseconds === undefined || count < 1) return undefined;
  return { kind: 'rate', milliseconds: count * milliseconds };
}

export interface RunQuery {
  /** Strictly after this. */
  readonly after: number;
  readonly timeZone: string;
  /** Where a rate begins to count. */
  readonly start: number;
}

/** When the schedule runs next, or undefined when never again. */
export function nextRun(schedule: Schedule, query: RunQuery): number | undefined {
  if (schedule.kind === 'rate') return nextRate(schedule.milliseconds, query);
  if (schedule.kind === 'cron') return nextCron(schedule.cron, query.after, query.timeZone);
  const at = toUtc(schedule.local, query.timeZone);
  return at !== undefined && at > query.after ? at : undefined;
}

function nextRate(milliseconds: number, { after, start }: RunQuery): number {
  const runs = Math.max(0, Math.floor((after - start) / milliseconds) + 1);
  return start + runs * milliseconds;
}
