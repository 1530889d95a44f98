import { InvalidArgumentError } from 'commander';
import { parseDurationSeconds } from '../../shared/base/duration.ts';
import { isCalendarDate } from '../calendar-date.ts';

const daySeconds = 86_400;
/** Longer than AWS keeps activities and than logs are usually kept, and short enough to be read. */
export const longestDays = 366;

/**
 * The begin of a report, in epoch milliseconds: a duration back from now (`14d`, `36h`), or a date or a time in UTC (`2026-01-05`,
 * `2026-01-05T08:00Z`). A day is 24 hours: the time has no daylight saving.
 *
 * @throws InvalidArgumentError, which commander turns into a usage error.
 */
export function sinceTime(text: string, now: number): number {
  const time = timeOf(text.trim(), now);
  if (time >= now)
    throw new InvalidArgumentError('it lies in the future: write a time before now, such as 14d');
  if (now - time > longestDays * daySeconds * 1000)
    throw new InvalidArgumentError(`a report goes back ${longestDays} days at most`);
  return time;
}

function timeOf(text: string, now: number): number {
  if (/^\d+$/.test(text)) throw new InvalidArgumentError(`write the unit too, such as ${text}d or ${text}h`);
  const weeks = /^(\d{1,2})w$/.exec(text)?.[1];
  if (weeks !== undefined) throw new InvalidArgumentError(`write weeks in days: ${Number(weeks) * 7}d`);
  if (isCalendarDate(text)) return Date.parse(text);
  const [, date = '', clock, zone] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(Z?)$/.exec(text) ?? [];
  if (clock !== undefined && zone === '') throw new InvalidArgumentError(`times are in UTC: write ${text}Z`);
  const time = isCalendarDate(date) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const seconds = parseDurationSeconds(text);
  if (seconds !== undefined && seconds > 0) return now - seconds * 1000;
  throw new InvalidArgumentError('write a duration such as 14d or 36h, or a date in UTC such as 2026-01-05');
}
