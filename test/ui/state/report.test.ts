import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysOf, periodIn, periodText, progressShare, reportPeriods } from '../../../ui/state/report.ts';

describe('the period of a report', () => {
  it.each(reportPeriods)('of %i days is found in an address, and from its begin and end', (days) => {
    expect(periodIn(String(days))).toBe(days);
    const until = Date.UTC(2026, 2, 29, 1, 30);
    const iso = (time: number): string => new Date(time).toISOString();
    expect(daysOf({ since: iso(until - days * 86_400_000), until: iso(until) })).toBe(days);
  });

  it.each([null, '', '0', '2', '14 ', '1e1', '-7', 'Infinity'])(
    'is refused if the page does not offer it: %s',
    (text) => {
      expect(periodIn(text)).toBeUndefined();
    },
  );

  it('of a day is called 24 hours: a day of people may have 23', () => {
    expect(reportPeriods.map(periodText)).toEqual(['24 hours', '7 days', '14 days', '30 days']);
  });
});

describe('the progress of a reading', () => {
  const time = { since: 1000, until: 2000 };

  it('counts the logs before this one, and how far this one was read', () => {
    const progress = { log: 'sweep', done: 1, all: 4, lines: 10 };
    expect(progressShare(progress, time)).toBe(0.25);
    expect(progressShare({ ...progress, oldest: 1500 }, time)).toBe(0.375);
    expect(progressShare({ ...progress, done: 3, oldest: 1000 }, time)).toBe(1);
  });

  it('is between 0 and 1, and never goes back while one log is read, whatever the times of its lines are', () => {
    const progress = fc.record({ done: fc.nat(12), oldest: fc.integer({ min: 0, max: 3000 }) });
    fc.assert(
      fc.property(progress, fc.nat(1000), ({ done, oldest }, further) => {
        const at = (of: number): number =>
          progressShare({ log: 'sweep', done, all: 13, lines: 1, oldest: of }, time);
        expect(at(oldest)).toBeGreaterThanOrEqual(0);
        expect(at(oldest - further)).toBeLessThanOrEqual(1);
        expect(at(oldest - further)).toBeGreaterThanOrEqual(at(oldest));
      }),
    );
  });
});
