import { expect, it } from 'vitest';
import { unitsOf, whyUnits } from '../../../shared/groups/capacity-units.ts';

it('instances are their number of units, or the sum of their weights', () => {
  expect(unitsOf([])).toBe(0);
  expect(unitsOf([{}, {}])).toBe(2);
  expect(unitsOf([{ weight: 3 }, {}, { weight: 2 }])).toBe(6);
});

it('only a group that counts units has no size in nodes', () => {
  expect(whyUnits({})).toBeUndefined();
  expect(whyUnits({ countsUnits: true })).toContain('no size in nodes');
});
