import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { sinceTime } from '../../../cli/report/since.ts';

const now = Date.parse('2026-03-29T12:00:00Z');

describe('--since', () => {
  // Europe changes to summer time on 2026-03-29: a day is 24 hours all the same.
  it.each([
    ['14d', '2026-03-15T12:00:00Z'],
    ['36h', '2026-03-28T00:00:00Z'],
    ['1d12h', '2026-03-28T00:00:00Z'],
    [' 90m ', '2026-03-29T10:30:00Z'],
    ['2026-03-01', '2026-03-01T00:00:00Z'],
    ['2026-03-29T08:00Z', '2026-03-29T08:00:00Z'],
    ['2026-03-29T08:00:30Z', '2026-03-29T08:00:30Z'],
    ['366d', '2025-03-28T12:00:00Z'],
  ])('%s begins at %s', (text, begin) => {
    expect(new Date(sinceTime(text, now)).toISOString()).toBe(begin.replace('Z', '.000Z'));
  });

  it.each([
    ['14', 'write the unit too, such as 14d or 14h'],
    ['2w', 'write weeks in days: 14d'],
    ['2026-03-29T08:00', 'times are in UTC: write 2026-03-29T08:00Z'],
    ['2026-03-30', 'it lies in the future: write a time before now, such as 14d'],
    ['2026-03-29T12:00Z', 'it lies in the future: write a time before now, such as 14d'],
    ['367d', 'a report goes back 366 days at most'],
    ['2020-01-01', 'a report goes back 366 days at most'],
    ...[
      '2026-02-30',
      '2026-02-30T08:00Z',
      '2026-03-01T25:00Z',
      '2026-03-01T08:00+01:00',
      '01/03/2026',
      '1.3.2026',
      'yesterday',
      '-3d',
      '0d',
      '1mo',
      '',
    ].map((text) => [text, 'write a duration such as 14d or 36h, or a date in UTC such as 2026-01-05']),
  ])('%j is refused with a remedy', (text, remedy) => {
    expect(() => sinceTime(text, now)).toThrow(new InvalidArgumentError(remedy));
  });
});
