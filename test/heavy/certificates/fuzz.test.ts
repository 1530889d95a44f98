import { expect, test } from 'vitest';
import { areApproved, fuzzRequests } from '../../support/certificates/fuzz.ts';

/** Each commit of `.ci/run` has other random ones. `FUZZED_REQUESTS=200000`: fewer. */
const inputs = Number(process.env['FUZZED_REQUESTS'] ?? 1_000_000);
const kinds = 4;

test(`${inputs} arbitrary, mutated and newly signed requests crash nothing, and none is approved that the strict rules refuse`, {
  timeout: 1_800_000,
}, () => {
  expect(areApproved()).toBe(true);
  fuzzRequests(Math.ceil(inputs / kinds));
});
