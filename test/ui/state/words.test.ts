import { describe, expect, it } from 'vitest';
import { duration, timeOfDay } from '../../../ui/state/words.ts';

describe('a duration', () => {
  it.each([
    [-5, '0 s'],
    [0, '0 s'],
    [999, '1 s'],
    [61_000, '1 min 1 s'],
    [120_000, '2 min'],
    [3_600_000, '1 h'],
    [172_800_000, '2 d'],
    [3_725_000, '1 h 2 min'],
  ])('of %i ms reads %s', (milliseconds, words) => {
    expect(duration(milliseconds)).toBe(words.replaceAll(/(\d) /g, '$1\u00a0'));
  });
});

describe('a time of day', () => {
  it('is in UTC', () => {
    expect(timeOfDay(Date.UTC(2026, 0, 5, 8, 3, 9))).toBe('08:03:09');
  });
});
