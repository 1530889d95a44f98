import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeMissing } from '../../../shared/groups/missing-instance.ts';

const now = Date.parse('2026-11-21T07:00:00Z');
const after = (seconds: number) => judgeMissing({ now, missingSince: now - seconds * 1000 });

describe('an instance that EC2 does not know', () => {
  it.each([
    [0, 'unconfirmed', 300],
    [0.5, 'unconfirmed', 300],
    [299, 'unconfirmed', 1],
    [299.999, 'unconfirmed', 1],
    [300, 'gone', 0],
    [900, 'gone', 0],
    [900.001, 'new', 300],
    [86_400, 'new', 300],
  ] as const)('%f s after it was first not found is %s', (seconds, kind, secondsLeft) => {
    expect(after(seconds)).toEqual({ kind, secondsLeft });
  });

  it.each([undefined, Number.NaN])('has a new finding if the recorded one is %s', (missingSince) => {
    expect(judgeMissing({ now, missingSince })).toEqual({ kind: 'new', secondsLeft: 300 });
  });

  it.each([-61, -3600, -86_400 * 365 * 70])(
    'has a new finding if the recorded one is %d s old, which is ahead of the clock',
    (seconds) => {
      expect(after(seconds)).toEqual({ kind: 'new', secondsLeft: 300 });
      expect(after(-60).kind).toBe('unconfirmed');
    },
  );

  const seconds = () => integer({ min: 0, max: 2000 });

  it('is gone only by a finding that is between five and fifteen minutes old', () => {
    assert(
      property(seconds(), (age) => {
        expect(after(age).kind === 'gone').toBe(age >= 300 && age <= 900);
      }),
    );
  });

  it('is gone once the seconds that are left have passed, and not a second earlier', () => {
    assert(
      property(integer({ min: 0, max: 299_999 }), (age) => {
        const { secondsLeft } = judgeMissing({ now, missingSince: now - age });
        const kindIn = (left: number) =>
          judgeMissing({ now: now + left * 1000, missingSince: now - age }).kind;
        expect(kindIn(secondsLeft)).toBe('gone');
        expect(kindIn(secondsLeft - 1)).toBe('unconfirmed');
      }),
    );
  });

  it('is gone in the end, however long no pass came: passes every five minutes record a finding and confirm it', () => {
    assert(
      property(seconds(), integer({ min: 150, max: 450 }), (firstGap, interval) => {
        let missingSince: number | undefined = now;
        let time = now + firstGap * 1000;
        let passes = 0;
        for (; judgeMissing({ now: time, missingSince }).kind !== 'gone'; passes += 1) {
          if (judgeMissing({ now: time, missingSince }).kind === 'new') missingSince = time;
          time += interval * 1000;
        }
        expect(passes).toBeLessThanOrEqual(3);
      }),
    );
  });
});
