import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { follower, hour, minute } from './support.ts';

const looks = 15 * minute;
const day = 24 * hour;

/** When digests were sent, of a problem that is there for the checks that `isThere` says. */
function toldAt(isThere: (look: number) => boolean, { days }: { readonly days: number }): readonly number[] {
  const { see } = follower();
  const told: number[] = [];
  for (let look = 0; look * looks < days * day; look += 1)
    if (see(look * looks, isThere(look) ? ['a'] : []) !== undefined) told.push(look * looks);
  return told;
}

// Storms of notifications by alerts that come and go: prometheus/alertmanager#204, #3048, VictoriaMetrics/VictoriaMetrics#5828.
it('a problem that comes and goes at each check is one digest', () => {
  expect(toldAt((look) => look % 2 === 0, { days: 3 })).toEqual([0]);
});

it.each([2, 3, 4, 6, 8, 12])(
  'a problem that is there for a quarter of an hour each %i hours is reported less and less',
  (hours) => {
    const told = toldAt((look) => look % (hours * 4) === 0, { days: 4 });
    const days = [0, 1, 2, 3].map((one) => told.filter((at) => Math.floor(at / day) === one).length);
    expect(days[0]).toBeLessThanOrEqual(10);
    expect(days[3]).toBeLessThanOrEqual(2);
  },
);

it('however a problem comes and goes, there are at most ten digests of it in a day, an hour apart, and the last one is true', () => {
  const changes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(changes, (lengths) => {
      const ends = lengths.reduce<number[]>((sums, length) => [...sums, (sums.at(-1) ?? 0) + length], []);
      const isThere = (look: number): boolean => ends.filter((end) => end <= look).length % 2 === 0;
      const told = toldAt((look) => look < 4 * 4 * 24 && isThere(look), { days: 6 });
      for (const at of told) {
        expect(told.filter((other) => other >= at && other < at + day).length).toBeLessThanOrEqual(10);
        expect(told.every((other) => other === at || Math.abs(other - at) >= hour)).toBe(true);
      }
      // New and ended in turn: after two days without the problem, its end was reported.
      expect(told.length % 2).toBe(0);
    }),
    { numRuns: 60 },
  );
});

it('the length of the time until an end is reported grows to a day, and begins with an hour after a quiet day', () => {
  const { see } = follower();
  see(0, ['a']);
  see(15 * minute, []);
  expect(see(75 * minute, [])).toBe('-a');
  see(3 * hour, ['a']);
  see(4 * hour, []);
  expect(see(5 * hour, [])).toBeUndefined();
  expect(see(6 * hour, [])).toBe('-a');
  expect(see(31 * hour, [])).toBeUndefined();
  see(32 * hour, ['a']);
  see(33 * hour, []);
  expect(see(34 * hour, [])).toBe('-a');
});
