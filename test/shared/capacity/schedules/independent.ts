import { Cron } from 'croner';
import { Temporal } from 'temporal-polyfill';

/**
 * The times at which a cron expression of AWS matches, by croner, in a calendar of UTC. AWS writes `0/15` for `0-59/15`, and `?` for the field
 * of days that does not count.
 */
export function* independentTimes(fields: string, from: string): Generator<string> {
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = fields
    .replaceAll('?', '*')
    .split(' ');
  const maxima = [59, 23, 31, 12, 7, 2199];
  const parts = [minute, hour, dayOfMonth, month, dayOfWeek === 'L' ? '7' : dayOfWeek, year].map(
    (field, index) => field.replaceAll(/(^|,)(\w+)\/(\d+)/g, `$1$2-${maxima[index]}/$3`),
  );
  const cron = new Cron(`0 ${parts.join(' ')}`, { timezone: 'UTC', alternativeWeekdays: true, paused: true });
  let next = cron.nextRun(new Date(`${from}Z`));
  while (next) {
    yield next.toISOString().slice(0, 19);
    next = cron.nextRun(next);
  }
}

/** The moment of a time in a time zone, by Temporal: the first of two; undefined for a time that clocks skip. */
export function independentMoment(local: string, timeZone: string): number | undefined {
  const plain = Temporal.PlainDateTime.from(local);
  const zoned = plain.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  // Temporal keeps a time that is repeated, and moves a time that is skipped.
  return zoned.toPlainDateTime().equals(plain) ? zoned.epochMilliseconds : undefined;
}
