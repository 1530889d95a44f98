import { describe, expect, test } from 'vitest';
import { nextRun, parseSchedule, unitAgrees } from '../../../src/aws/events/schedule-expression.ts';

const runs = (expression: string, from: string, timeZone = 'UTC', count = 3): string[] => {
  const schedule = parseSchedule(expression);
  if (schedule === undefined) throw new Error(`not a schedule: ${expression}`);
  const start = Date.parse(from);
  const found: string[] = [];
  let after = start;
  for (let run = 0; run < count; run++) {
    const at = nextRun(schedule, { after, timeZone, start });
    if (at === undefined) break;
    found.push(new Date(at).toISOString().replace(':00.000Z', 'Z'));
    after = at;
  }
  return found;
};

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
describe('a schedule', () => {
  test('with a rate runs at its interval', () => {
    expect(runs('rate(5 minutes)', '2026-01-05T08:00:00Z')).toEqual([
      '2026-01-05T08:05Z',
      '2026-01-05T08:10Z',
      '2026-01-05T08:15Z',
    ]);
  });

  test.each<[string, string, string[]]>([
    [
      'every day at ten',
      'cron(0 10 * * ? *)',
      ['2026-01-05T10:00Z', '2026-01-06T10:00Z', '2026-01-07T10:00Z'],
    ],
    [
      'every quarter of an hour',
      'cron(0/15 * * * ? *)',
      ['2026-01-05T08:15Z', '2026-01-05T08:30Z', '2026-01-05T08:45Z'],
    ],
    [
      'on weekdays',
      'cron(30 7 ? * MON-FRI *)',
      ['2026-01-06T07:30Z', '2026-01-07T07:30Z', '2026-01-08T07:30Z'],
    ],
    [
      'on the first of a month',
      'cron(0 8 1 * ? *)',
      ['2026-02-01T08:00Z', '2026-03-01T08:00Z', '2026-04-01T08:00Z'],
    ],
    [
      'on the last day of a month',
      'cron(0 0 L * ? *)',
      ['2026-01-31T00:00Z', '2026-02-28T00:00Z', '2026-03-31T00:00Z'],
    ],
    [
      'on the weekday nearest to the 31st',
      'cron(0 0 31W * ? *)',
      ['2026-01-30T00:00Z', '2026-02-27T00:00Z', '2026-03-31T00:00Z'],
    ],
    [
      'on the third Friday',
      'cron(0 0 ? * 6#3 *)',
      ['2026-01-16T00:00Z', '2026-02-20T00:00Z', '2026-03-20T00:00Z'],
    ],
    [
      'on the last Friday',
      'cron(0 0 ? * FRIL *)',
      ['2026-01-30T00:00Z', '2026-02-27T00:00Z', '2026-03-27T00:00Z'],
    ],
    [
      'in some months',
      'cron(0 0 1 JAN,JUL ? *)',
      ['2026-07-01T00:00Z', '2027-01-01T00:00Z', '2027-07-01T00:00Z'],
    ],
    ['in one year', 'cron(0 0 1 1 ? 2027)', ['2027-01-01T00:00Z']],
  ])('runs %s', (_what, expression, expected) => {
    expect(runs(expression, '2026-01-05T08:00:00Z')).toEqual(expected);
  });

  // https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html, daylight saving time
  test('follows the local time of its time zone', () => {
    expect(runs('cron(0 8 ? * * *)', '2026-03-28T00:00:00Z', 'Europe/Berlin')).toEqual([
      '2026-03-28T07:00Z',
      '2026-03-29T06:00Z',
      '2026-03-30T06:00Z',
    ]);
  });

  test('skips the missing hour in spring, and runs once in the repeated hour in autumn', () => {
    expect(runs('cron(30 2 ? * * *)', '2026-03-28T12:00:00Z', 'Europe/Berlin', 1)).toEqual([
      '2026-03-30T00:30Z',
    ]);
    expect(runs('cron(30 2 ? * * *)', '2026-10-24T12:00:00Z', 'Europe/Berlin', 2)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
    ]);
  });

  test('for one time runs once at that local time', () => {
    expect(runs('at(2026-07-01T09:00:00)', '2026-01-05T08:00:00Z', 'America/New_York')).toEqual([
      '2026-07-01T13:00Z',
    ]);
  });

  test('of a rule has a singular or plural unit according to its number', () => {
    expect(['rate(1 minute)', 'rate(5 minutes)', 'rate(11 hours)'].every(unitAgrees)).toBe(true);
    expect(['rate(1 minutes)', 'rate(5 minute)', 'rate(11 hour)'].some(unitAgrees)).toBe(false);
  });

  test.each([
    'rate(0 minutes)',
    'cron(0 10 * * * *)',
    'cron(0 10 ? * ? *)',
    'cron(60 10 * * ? *)',
    'cron(0 10 * * ?)',
    'at(tomorrow)',
    'at(2026-02-30T09:00:00)',
    'every day',
  ])('%s is refused', (expression) => {
    expect(parseSchedule(expression)).toBeUndefined();
  });
});
