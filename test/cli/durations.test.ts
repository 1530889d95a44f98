import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationSeconds, durationWithUnit, wholeNumber } from '../../cli/durations.ts';
import { durationText } from '../../shared/base/duration.ts';

describe('a duration', () => {
  it.each([
    ['90', 90],
    ['0', 0],
    ['90s', 90],
    ['1h30m', 5400],
    ['1.5m', 90],
    ['2d', 172_800],
    ['500ms', 0.5],
  ])('%s is %d s', (text, seconds) => {
    expect(durationSeconds(text)).toBe(seconds);
  });

  it.each(['', 'soon', '5x', '-5m', 's', '1h 30m'])('"%s" is refused', (text) => {
    expect(() => durationSeconds(text)).toThrow(/write a duration/);
  });
});

describe('a duration that must have its unit', () => {
  const bounds = { minimum: 60, maximum: 7200 };

  it.each([
    ['1m', 60],
    ['2h', 7200],
  ])('%s is %d s', (text, seconds) => expect(durationWithUnit(text, bounds)).toBe(seconds));

  it.each([
    ['2', /write the unit too, such as 2m or 2h/],
    ['59s', /1m to 2h/],
    ['121m', /1m to 2h/],
    ['60.5s', /1m to 2h/],
    ['0', /1m to 2h/],
    ['soon', /1m to 2h/],
  ])('%s is refused', (text, words) => expect(() => durationWithUnit(text, bounds)).toThrow(words));
});

describe('a whole number', () => {
  it('may have a minus sign and digits, and nothing else', () => {
    expect(wholeNumber('-1')).toBe(-1);
    expect(() => wholeNumber('1e3')).toThrow(/whole number/);
  });
});

describe('a formatted duration', () => {
  it.each([
    [0, '0s'],
    [-5, '0s'],
    [59.6, '1m'],
    [5400, '1h30m'],
    [172_800, '48h'],
    [3661, '1h1m1s'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });

  it('is parsed back to the same duration', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9_999_999 }), (seconds) => {
        expect(durationSeconds(durationText(seconds))).toBe(seconds);
      }),
    );
  });
});
