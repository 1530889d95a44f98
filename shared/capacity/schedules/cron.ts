import { type DaysOf, parseDays } from './cron-days.ts';
import { valuesOf } from './cron-field.ts';
import type { WallClock } from './time-zone.ts';

/** A cron expression of EventBridge Scheduler, each field as the values that match. */
export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly daysOf: DaysOf;
  readonly months: readonly number[];
  readonly years: readonly number[];
}

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/**
 * `minutes hours day-of-month month day-of-week year`, as the user guide of EventBridge Scheduler documents it ("Cron-based schedules").
 * Undefined if it is not valid, or if AWS does not document when it runs.
 */
export function parseCron(fields: string): Cron | undefined {
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = '', year = '', ...more] =
    fields.split(/\s+/);
  const minutes = valuesOf(minute, { minimum: 0, maximum: 59 });
  const hours = valuesOf(hour, { minimum: 0, maximum: 23 });
  const daysOf = parseDays(dayOfMonth, dayOfWeek);
  const months = valuesOf(month, { minimum: 1, maximum: 12, names: monthNames });
  const years = valuesOf(year, { minimum: 1970, maximum: 2199 });
  if (!minutes || !hours || !daysOf || !months || !years || more.length > 0) return undefined;
  return { minutes, hours, daysOf, months, years };
}

/** Every time that matches after one, in order, as a calendar without time zone has it. */
export function* matchesAfter(cron: Cron, after: WallClock): Generator<WallClock> {
  const firstYear = new Date(after).getUTCFullYear();
  for (const year of cron.years.filter((each) => each >= firstYear))
    for (const month of cron.months)
      for (const day of cron.daysOf({ year, month }))
        if (Date.UTC(year, month - 1, day + 1) > after)
          for (const wallClock of timesOf(cron, Date.UTC(year, month - 1, day)))
            if (wallClock > after) yield wallClock;
}

const timesOf = ({ hours, minutes }: Cron, midnight: WallClock): readonly WallClock[] =>
  hours.flatMap((hour) => minutes.map((minute) => midnight + (hour * 60 + minute) * 60_000));
