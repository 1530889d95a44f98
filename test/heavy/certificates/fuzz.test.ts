import { expect, test } from 'vitest';
import { areApproved, fuzzRequests } from '../../support/certificates/fuzz.ts';

/** A third of a million of each kind. */
test('a million arbitrary and mutated requests crash nothing, and none is approved', {
  timeout: 1_800_000,
}, () => {
  expect(areApproved()).toBe(true);
  fuzzRequests(334_000);
});
