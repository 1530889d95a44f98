import { expect, it } from 'vitest';
import { isRecent } from '../../../shared/base/is-recent.ts';

it.each([
  [0, true],
  [59.999, true],
  [60, false],
  [-0.001, false],
  [Number.POSITIVE_INFINITY, false],
])('a time of %s seconds ago is recent within a minute: %s', (age, isIt) => {
  expect(isRecent(1_000_000 - age * 1000, { now: 1_000_000, seconds: 60 })).toBe(isIt);
});
