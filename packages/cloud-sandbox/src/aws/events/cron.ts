import { dayTest } from './cron-days.ts';
import { parseField } from './cron-fields.ts';
import { toLocal, toUtc } from './time-zone.ts';

/** A calendar day in some time zone. */
export interface Day {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly months: ReadonlySet<number>;
  readonly years: ReadonlySet<number>;
  readonly isDay: (day: Day) => boolean;
}

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/**
 * `minutes hours day-of-month month day-of-week year`; undefined when it is not valid: one of the two days must be `?`.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
 */
export function parseCron(body: string): Cron | undefined {
  const fields = body.trim().split(/\s+/);
  if (fields.length !== 6) return undefined;
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = fields;
  const minutes = parseField(minute, { minimum: 0, maximum: 59 });
  const hours = parseField(hour, { minimum: 0, maximum: 23 });
  const months = parseField(month, { minimum: 1, maximum: 12, names: monthNames });
  const years = parseField(year, { minimum: 1970, maximum: 2199 });
  const isDay = dayTest(dayOfMonth, dayOfWeek);
  if (!minutes || !hours || !months || !years || !isDay) return undefined;
  return { minutes, hours, months: new Set(months), years: new Set(years), isDay };
}

const dayMilliseconds = 86_400_000;
/** Longer than from one 29 February to the next. */
const searchedDays = 366 * 9;

/** The first match strictly after the moment, on the clocks of the zone; undefined when there is none for years. */
export function nextCron(cron: Cron, after: number, timeZone: string): number | undefined {
  const today = Date.parse(`${toLocal(after, timeZone).slice(0, 10)}T00:00:00Z`);
  for (let passed = 0; passed < searchedDays; passed++) {
    const date = new Date(today + passed * dayMilliseconds);
    if (!isDayOf(cron, date)) continue;
    const found = firstTime(cron, { date: date.toISOString().slice(0, 10), after, timeZone });
    if (found !== undefined) return found;
  }
  return undefined;
}

function isDayOf(cron: Cron, date: Date): boolean {
  const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  return cron.years.has(day.year) && cron.months.has(day.month) && cron.isDay(day);
}

function firstTime(
  cron: Cron,
  { date, after, timeZone }: { readonly date: string; readonly after: number; readonly timeZone: string },
): number | undefined {
  const two = (value: number): string => String(value).padStart(2, '0');
  for (const hour of cron.hours) {
    for (const minute of cron.minutes) {
      const moment = toUtc(`${date}T${two(hour)}:${two(minute)}:00`, timeZone);
      if (moment !== undefined && moment > after) return moment;
    }
  }
  return undefined;
}
