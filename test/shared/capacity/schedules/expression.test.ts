import { describe, expect, it } from 'vitest';
import {
  parseExpression,
  timesAfter,
  whyNotKnown,
} from '../../../../shared/capacity/schedules/expression.ts';

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

describe('an expression that is not known', () => {
  it.each([
    ['at(2027-02-28)', 'without an offset'],
    ['rate(1 day)', 'write cron(...) or at(...)'],
    ['x cron(0 8 ? * MON *)', 'write cron(...) or at(...)'],
    ['cron(0 8 ? * MON *) x', 'write cron(...) or at(...)'],
    ['cron(0 8 ? * MON)', 'six fields'],
    ['cron( 0  8  ?  *  MON )', 'six fields'],
    ['cron(0 8 * * * *)', 'exactly one'],
    ['cron( 0  8  ?  *  ?  * )', 'exactly one'],
    ['cron( 60  8  ?  *  MON  * )', 'see the cron expressions'],
  ])('%s is named with what it lacks', (text, why) => {
    expect(whyNotKnown(text)).toMatch(new RegExp(why.replaceAll(/[().]/g, '\\$&')));
  });
});

describe('a single time', () => {
  it('is after each earlier one, and comes once', () => {
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
