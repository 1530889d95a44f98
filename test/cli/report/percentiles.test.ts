import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { percentilesOf } from '../../../cli/report/percentiles.ts';

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

// https://github.com/mergewatch/mergewatch.ai/issues/336: an index of floor(n * 0.95) is one too high, and the maximum up to n = 20.
it.each([
  [1, { n: 1, p50: 1, p95: 1, max: 1 }],
  [2, { n: 2, p50: 1, p95: 2, max: 2 }],
  [5, { n: 5, p50: 3, p95: 5, max: 5 }],
  [19, { n: 19, p50: 10, p95: 19, max: 19 }],
  [20, { n: 20, p50: 10, p95: 19, max: 20 }],
  [21, { n: 21, p50: 11, p95: 20, max: 21 }],
  [100, { n: 100, p50: 50, p95: 95, max: 100 }],
])('of 1 to %i has the values of the nearest rank', (count, expected) => {
  expect(percentilesOf(upTo(count).toReversed())).toEqual(expected);
});

it('of nothing is not known', () => {
  expect(percentilesOf([])).toBeUndefined();
});

// https://github.com/taoensso/tufte/issues/67, https://github.com/agno-agi/agno/issues/8656
it('has only values that were measured, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), (values) => {
      const { p50 = -1, p95 = -1, max = -1, n } = percentilesOf(values) ?? {};
      expect([p50, p95, max].every((value) => values.includes(value))).toBe(true);
      expect(p50 <= p95 && p95 <= max && n === values.length).toBe(true);
    }),
  );
});
