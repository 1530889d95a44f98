import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wallClockText } from '../../../../shared/capacity/schedules/time-zone.ts';
import {
  type Occurrence,
  occurrencesAfter,
  parseExpression,
  timesAfter,
} from '../../../../shared/capacity/schedules/timing.ts';
import { independentMoment, independentTimes } from './independent.ts';

const timeZones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Asia/Kolkata',
];

/** A line for an occurrence: its local time, and its moment. */
const lineOf = (local: string, at: number | undefined): string =>
  `${local} ${at === undefined ? 'left out' : new Date(at).toISOString()}`;

function* ours(fields: string, timeZone: string, from: string): Generator<Occurrence> {
  const expression = parseExpression(`cron(${fields})`);
  if (expression === undefined) throw new Error(`cron(${fields}) is not valid`);
  yield* occurrencesAfter({ expression, timeZone }, independentMoment(from, timeZone) ?? Number.NaN);
}

function oursUntil(end: string, fields: string, timeZone: string): readonly string[] {
  const lines: string[] = [];
  for (const occurrence of ours(fields, timeZone, beginning)) {
    const local = wallClockText(occurrence.wallClock);
    if (local >= end) break;
    lines.push(lineOf(local, occurrence.kind === 'runs' ? occurrence.at : undefined));
  }
  return lines;
}

const beginning = '2026-11-01T00:00:00';
const end = '2036-11-01T00:00:00';

const expressions = [
  '0 8 * * ? *',
  '5 0 1 * ? *',
  '30 2 * * ? *',
  '15 2 ? * SUN *',
  '45 1 ? * 1 *',
  '0 0 ? * L *',
  '0 8 L * ? *',
  '0 8 15W * ? *',
  '0 8 1W * ? *',
  '0 8 28W * ? *',
  '0 9 ? * 6L *',
  '0 9 ? * TUEL *',
  '0 9 ? * 2#1 *',
  '0 9 ? * 5#5 *',
  '0 12 29 FEB ? *',
  '0 12 31 * ? *',
  '10 10 1,15 1/3 ? 2026-2030',
  '0 6,18 ? JAN-MAR,OCT MON-FRI 2027/2',
  '0 7 ? * 2-6/2 *',
  '20-40/10 3 */10 * ? *',
];

/** croner's times for each expression; they do not depend on the time zone. */
const independent = new Map(
  expressions.map((fields) => {
    const locals: string[] = [];
    for (const local of independentTimes(fields, beginning)) {
      if (local >= end) break;
      locals.push(local);
    }
    return [fields, locals] as const;
  }),
);

describe('the occurrences of ten years', () => {
  it.each(timeZones)('are those of croner and Temporal in %s', (timeZone) => {
    for (const [fields, locals] of independent) {
      expect(oursUntil(end, fields, timeZone), fields).toEqual(
        locals.map((local) => lineOf(local, independentMoment(local, timeZone))),
      );
      expect(locals.length, fields).toBeGreaterThan(2);
    }
  });

  it('are those of croner and Temporal for any expression and beginning', () => {
    const one = (minimum: number, maximum: number) => fc.integer({ min: minimum, max: maximum }).map(String);
    const field = (minimum: number, maximum: number) =>
      fc.oneof(
        fc.constant('*'),
        one(minimum, maximum),
        fc
          .tuple(one(minimum, maximum), fc.integer({ min: 1, max: maximum }))
          .map(([from, step]) => `${from}/${step}`),
        fc
          .tuple(fc.integer({ min: minimum, max: maximum }), fc.integer({ min: minimum, max: maximum }))
          .map(([first, second]) => `${Math.min(first, second)}-${Math.max(first, second)}`),
        fc
          .uniqueArray(one(minimum, maximum), { minLength: 2, maxLength: 4 })
          .map((values) => values.join(',')),
      );
    const days = fc.oneof(
      fc
        .oneof(
          field(1, 31),
          fc.constant('L'),
          one(1, 28).map((day) => `${day}W`),
        )
        .map((day) => [day, '?']),
      fc
        .oneof(
          field(1, 7),
          one(1, 7).map((day) => `${day}L`),
          fc.tuple(one(1, 7), one(1, 5)).map(([day, nth]) => `${day}#${nth}`),
        )
        .map((day) => ['?', day]),
    );
    const anyExpression = fc
      .tuple(field(0, 59), field(0, 23), days, field(1, 12))
      .map(([minute, hour, [dayOfMonth, dayOfWeek], month]) =>
        [minute, hour, dayOfMonth, month, dayOfWeek, '2026-2036'].join(' '),
      );
    const beginnings = fc
      .integer({ min: 0, max: 10 * 365 * 1440 })
      .map((minutes) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString().slice(0, 19));
    fc.assert(
      fc.property(anyExpression, beginnings, fc.constantFrom(...timeZones), (fields, from, timeZone) => {
        fc.pre(independentMoment(from, timeZone) !== undefined);
        const [next] = ours(fields, timeZone, from);
        const [wanted] = independentTimes(fields, from);
        expect(next && wallClockText(next.wallClock)).toBe(wanted);
      }),
      { numRuns: 1000 },
    );
  });
});

function clockTimes(text: string, timeZone: string, after: string, count: number): readonly string[] {
  const expression = parseExpression(text);
  if (expression === undefined) throw new Error(`${text} is not valid`);
  const lines: string[] = [];
  for (const each of occurrencesAfter({ expression, timeZone }, Date.parse(after))) {
    lines.push(lineOf(wallClockText(each.wallClock), each.kind === 'runs' ? each.at : undefined));
    if (lines.length === count) break;
  }
  return lines;
}

describe('the changes of the clocks', () => {
  it('skip a time in spring', () => {
    expect(clockTimes('cron(30 2 * * ? *)', 'Europe/Berlin', '2027-03-27T02:00:00Z', 2)).toEqual([
      '2027-03-28T02:30:00 left out',
      '2027-03-29T02:30:00 2027-03-29T00:30:00.000Z',
    ]);
    expect(clockTimes('at(2027-03-28T02:30:00)', 'Europe/Berlin', '2027-01-01T00:00:00Z', 2)).toEqual([
      '2027-03-28T02:30:00 left out',
    ]);
  });

  it('run a time that is repeated in autumn once, at its first moment', () => {
    expect(clockTimes('cron(30 2 * * ? *)', 'Europe/Berlin', '2027-10-30T12:00:00Z', 2)).toEqual([
      '2027-10-31T02:30:00 2027-10-31T00:30:00.000Z',
      '2027-11-01T02:30:00 2027-11-01T01:30:00.000Z',
    ]);
    expect(clockTimes('cron(30 2 * * ? *)', 'Europe/Berlin', '2027-10-31T00:30:00Z', 1)).toEqual([
      '2027-11-01T02:30:00 2027-11-01T01:30:00.000Z',
    ]);
    expect(clockTimes('cron(45 2 * * ? *)', 'Europe/Berlin', '2027-10-31T01:10:00Z', 1)).toEqual([
      '2027-11-01T02:45:00 2027-11-01T01:45:00.000Z',
    ]);
  });

  it('are half an hour on Lord Howe Island', () => {
    expect(clockTimes('cron(15 2 ? * SUN *)', 'Australia/Lord_Howe', '2027-10-01T00:00:00Z', 2)).toEqual([
      '2027-10-03T02:15:00 left out',
      '2027-10-10T02:15:00 2027-10-09T15:15:00.000Z',
    ]);
  });
});

describe('the bounds of a schedule', () => {
  const expression = parseExpression('cron(0 8 * * ? *)');
  const from = Date.parse('2026-12-01T08:00:00Z');
  const to = Date.parse('2026-12-02T08:00:00Z');

  it('include occurrences at its start and at its end', () => {
    if (expression === undefined) throw new Error('not valid');
    const timing = { expression, timeZone: 'UTC', from, to };
    expect([...occurrencesAfter(timing, 0)]).toMatchObject([{ at: from }, { at: to }]);
    expect([...occurrencesAfter(timing, from)]).toMatchObject([{ at: to }]);
    expect([...occurrencesAfter(timing, to)]).toEqual([]);
  });
});

describe('an expression of EventBridge Scheduler', () => {
  it.each([
    'cron(0 8 ? * MON-FRI *)',
    'cron( 0  8 ? * mon-fri * )',
    'cron(0/15 * L * ? 2026-2030)',
    'cron(0 8 ? * SAT#5 *)',
    'at(2028-02-29T08:00:00)',
  ])('is %s', (text) => expect(parseExpression(text)).toBeDefined());

  it.each([
    ['five fields', 'cron(0 8 ? * MON)'],
    ['seven fields', 'cron(0 0 8 ? * MON *)'],
    ['both fields of days', 'cron(0 8 * * * *)'],
    ['no field of days', 'cron(0 8 ? * ? *)'],
    ['a minute of 60', 'cron(60 8 ? * MON *)'],
    ['a number of five digits', 'cron(00005 8 ? * MON *)'],
    ['an hour of 24', 'cron(0 24 ? * MON *)'],
    ['a weekday of 0', 'cron(0 8 ? * 0 *)'],
    ['a weekday of 8', 'cron(0 8 ? * 8L *)'],
    ['a sixth weekday of a month', 'cron(0 8 ? * 2#6 *)'],
    ['two numbered weekdays', 'cron(0 8 ? * 2#1,3#1 *)'],
    ['a range that ends before it begins', 'cron(0 8 ? * FRI-MON *)'],
    ['a range from every value', 'cron(*-5 8 ? * MON *)'],
    ['a step of nothing', 'cron(0/0 8 ? * MON *)'],
    ['a day of 0', 'cron(0 8 0 * ? *)'],
    ['the working day nearest to a day that a month may lack', 'cron(0 8 29W * ? *)'],
    ['the working day nearest to day 0', 'cron(0 8 0W * ? *)'],
    ['the year 1969', 'cron(0 8 1 * ? 1969)'],
    ['an empty item', 'cron(0,,5 8 1 * ? *)'],
    ['a word', 'cron(0 8 1 FOO ? *)'],
    ['a rate', 'rate(1 day)'],
    ['a date that its month lacks', 'at(2027-02-29T08:00:00)'],
    ['a month of 13', 'at(2027-13-01T08:00:00)'],
    ['a date without a time', 'at(2027-02-28)'],
    ['a time with a zone', 'at(2027-02-28T08:00:00Z)'],
    ['a text before it', 'x cron(0 8 ? * MON *)'],
    ['a text after it', 'cron(0 8 ? * MON *) x'],
    ['a text before its time', 'at(on 2027-02-28T08:00:00)'],
    ['a time as a rate', 'rate(2027-02-28T08:00:00)'],
    ['fractions of a second', 'at(2027-02-28T08:00:00.5)'],
    ['nothing', ''],
  ])('refuses %s: %s', (_, text) => expect(parseExpression(text)).toBeUndefined());
});

describe('a single time', () => {
  it('is after each earlier time, and occurs once', () => {
    const expression = parseExpression('at(2028-02-29T08:00:00)');
    const time = Date.UTC(2028, 1, 29, 8);
    const after = (wallClock: number) => (expression ? [...timesAfter(expression, wallClock)] : undefined);
    expect(after(time - 1)).toEqual([time]);
    expect(after(time)).toEqual([]);
  });
});

describe('the times of a cron expression', () => {
  const firstAfter = (text: string, time: string): string | undefined => {
    const expression = parseExpression(text);
    const next = expression && timesAfter(expression, Date.parse(`${time}Z`)).next();
    return next && !next.done ? new Date(next.value).toISOString().slice(0, 16) : undefined;
  };

  it.each([
    ['cron(0 8,12 ? * * *)', '2026-12-31T07:59:59', '2026-12-31T08:00'],
    ['cron(0 8,12 ? * * *)', '2026-12-31T08:00:00', '2026-12-31T12:00'],
    ['cron(0 8,12 ? * * *)', '2026-12-31T12:00:00', '2027-01-01T08:00'],
    ['cron(0 0 ? * * *)', '2026-12-31T00:00:00', '2027-01-01T00:00'],
    ['cron(0 8 1 1 ? 2025,2027)', '2025-06-01T00:00:00', '2027-01-01T08:00'],
    ['cron(0 8 1 1 ? 2025,2026)', '2026-01-01T08:00:00', undefined],
  ])('%s after %s begin with %s', (text, time, first) => {
    expect(firstAfter(text, time)).toBe(first);
  });
});
