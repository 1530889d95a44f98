import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExpression, timesAfter } from '../../../../shared/capacity/schedules/timing.ts';
import { whyNotKnown } from '../../../../shared/capacity/schedules/why-not-known.ts';

describe('an expression that is not accepted', () => {
  it.each([
    ['at(2027-02-28)', 'without an offset'],
    ['rate(1 day)', 'write cron(...) or at(...)'],
    ['x cron(0 8 ? * MON *)', 'write cron(...) or at(...)'],
    ['cron(0 8 ? * MON *) x', 'write cron(...) or at(...)'],
    ['cron(0 8 ? * MON)', 'six fields'],
    ['cron( 0  8  ?  *  MON )', 'six fields'],
    ['cron(0 8 * * * *)', 'exactly one'],
    ['cron( 0  8  ?  *  ?  * )', 'exactly one'],
    ['cron( 60  8  ?  *  MON  * )', 'minutes 60: 60 is not a value from 0 to 59'],
    [
      'cron(0 8 ? * 0 *)',
      'day of week 0: the days are 1 (SUN) to 7 (SAT), not 0 to 6 as in crontab; write cron(0 8 ? * SUN *)',
    ],
    ['cron(0 8 ? * 2#6 *)', 'day of week 2#6: a month has a weekday four or five times'],
    ['cron(0 8 1 FOO ? *)', 'month FOO: FOO is not a value from 1 to 12 or JAN to DEC'],
    ['cron(0,,5 8 1 * ? *)', 'minutes 0,,5: an empty item is not'],
    ['cron(0 8 1 * ? 2030-2028)', 'year 2030-2028: 2030-2028 is not'],
    [
      'cron(0 8 LW * ? *)',
      'not the last working day; the nearest form is L, the last day; write cron(0 8 L * ? *)',
    ],
    ['cron(0 8 31W * ? *)', 'the nearest form is 28W; write cron(0 8 28W * ? *)'],
    [
      'cron(0 20-2 ? * FRI-MON *)',
      'hours 20-2: 20-2 ends before it begins, and AWS does not document when Scheduler runs it; write cron(0 20-23,0-2 ? * FRI-MON *)',
    ],
    ['cron(0 8 ? * FRI-MON *)', 'write cron(0 8 ? * FRI-SAT,SUN-MON *)'],
    [
      'cron(0 8 1,L * ? *)',
      'day of month 1,L: AWS documents no list with L; write 2 schedules, cron(0 8 1 * ? *) and cron(0 8 L * ? *)',
    ],
    ['cron(0 8 ? * 2#1,3#1 *)', 'write 2 schedules, cron(0 8 ? * 2#1 *) and cron(0 8 ? * 3#1 *)'],
    [
      'cron(0 8 L-2 * ? *)',
      'no days before it; the day in February is 27 in leap years; write 3 schedules, cron(0 8 29 1,3,5,7,8,10,12 ? *) and cron(0 8 28 4,6,9,11 ? *) and cron(0 8 26 2 ? *)',
    ],
    ['cron(0 8 L-30 4 ? *)', 'no days before it$'],
  ])('%s is explained', (text, why) => {
    expect(`${whyNotKnown(text)}$`).toContain(why);
  });
});

describe('what an explanation says to write instead', () => {
  const end = Date.UTC(2028, 0, 1);
  /** All times of 2027, a common year, of the expressions in an explanation. */
  const timesOf = (explanation: string): readonly string[] => {
    const [, remedy = ''] = /; write (?:\d+ schedules, )?(cron\(.*)$/.exec(explanation) ?? [];
    const times = new Set<number>();
    for (const text of remedy.split(' and ')) {
      const expression = parseExpression(text);
      if (expression === undefined) throw new Error(`${text} in: ${explanation}`);
      for (const time of timesAfter(expression, Date.UTC(2027, 0, 1) - 1)) {
        if (time >= end) break;
        times.add(time);
      }
    }
    return [...times]
      .sort((one, other) => one - other)
      .map((time) => new Date(time).toISOString().slice(0, 16));
  };
  const daysOfYear = Array.from({ length: 365 }, (_, day) => new Date(Date.UTC(2027, 0, 1 + day, 8)));
  const onDays = (matches: (day: Date) => boolean): readonly string[] =>
    daysOfYear.filter(matches).map((day) => day.toISOString().slice(0, 16));
  const lengthOf = (day: Date): number =>
    new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  /** The values of a range around the end, counted one after another as on a clock. */
  const around = (
    first: number,
    last: number,
    step: number,
    [minimum, maximum]: readonly [number, number],
  ) => {
    const values: number[] = [];
    for (let value = first, left = 0; ; value = value === maximum ? minimum : value + 1, left++) {
      if (left % step === 0) values.push(value);
      if (value === last) return values;
    }
  };

  it('is, for a range of hours around midnight, the hours that a clock shows', () => {
    const hours = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 23 }));
    fc.assert(
      fc.property(hours, fc.integer({ min: 1, max: 9 }), fc.boolean(), ([first, last], step, one) => {
        fc.pre(first > last);
        const every = one ? 1 : step;
        const text = `cron(0 ${first}-${last}${one ? '' : `/${step}`} 1 1 ? 2027)`;
        const shown = timesOf(whyNotKnown(text)).map((time) => Number(time.slice(11, 13)));
        expect(shown).toEqual(around(first, last, every, [0, 23]).sort((a, b) => a - b));
      }),
    );
  });

  it('is, for a range of weekdays around Saturday, the days of a week, by number or name', () => {
    const names = ['SUN', 'MON', 'tue', 'Wed', 'THU', 'FRI', 'SAT'];
    const day = fc.tuple(fc.integer({ min: 1, max: 7 }), fc.boolean());
    const text = ([number, named]: [number, boolean]) => (named ? names[number - 1] : number);
    fc.assert(
      fc.property(day, day, (first, last) => {
        fc.pre(first[0] > last[0]);
        const wanted = around(first[0], last[0], 1, [1, 7]);
        expect(timesOf(whyNotKnown(`cron(0 8 ? * ${text(first)}-${text(last)} *)`))).toEqual(
          onDays((each) => wanted.includes(each.getUTCDay() + 1)),
        );
      }),
    );
  });

  it('is, for a day before the last one, that day of months of each length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 27 }), (before) => {
        expect(timesOf(whyNotKnown(`cron(0 8 L-${before} * ? *)`))).toEqual(
          onDays((day) => day.getUTCDate() === lengthOf(day) - before),
        );
      }),
    );
  });

  it('is, for a list with the last day, a schedule for each part', () => {
    const days = fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(days, fc.nat({ max: 4 }), (list, at) => {
        const field = list.map(String).toSpliced(at, 0, 'L').join(',');
        expect(timesOf(whyNotKnown(`cron(0 8 ${field} * ? *)`))).toEqual(
          onDays((day) => list.includes(day.getUTCDate()) || day.getUTCDate() === lengthOf(day)),
        );
      }),
    );
  });

  it('names the field of any other text, and never ends in an error', () => {
    const field = fc.stringMatching(/^[0-9LW#*,/?A-Z-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(field, { minLength: 6, maxLength: 6 }), (fields) => {
        const text = `cron(${fields.join(' ')})`;
        fc.pre(parseExpression(text) === undefined);
        expect(whyNotKnown(text)).toMatch(
          /runs: (?:exactly one of|(?:minutes|hours|day of month|month|day of week|year) \S+: )/,
        );
      }),
      { numRuns: 2000 },
    );
  });
});
