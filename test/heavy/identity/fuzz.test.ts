import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readToken } from '../../../shared/identity/read-token.ts';
import { tokenMutation, tokenOfUrl, urlMutation } from '../../support/tokens/mutations.ts';
import { signedUrl } from '../../support/tokens/signed-url.ts';
import { faultOfToken } from '../../support/tokens/strict-grammar.ts';
import { drawnPlan } from '../../support/tokens/token-plans.ts';

/** Each commit of `.ci/run` has other random ones. `FUZZED_TOKENS=200000`: fewer. */
const inputs = Number(process.env['FUZZED_TOKENS'] ?? 1_000_000);
const now = Date.UTC(2026, 10, 23, 8);
const credentials = { accessKeyId: 'AKIAQ3EGR6KXEXAMPLE2', secretAccessKey: 'secret' };

const drawn = fc
  .tuple(drawnPlan, urlMutation, tokenMutation)
  .map(([{ ageSeconds, ...plan }, changeUrl, changeToken]) =>
    changeToken(
      tokenOfUrl(changeUrl(signedUrl({ ...plan, credentials, signedAt: now - ageSeconds * 1000 }))),
    ),
  );
const arbitrary = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 5000 }),
  fc.string({ maxLength: 4200 }).map(tokenOfUrl),
  fc.webUrl({ withQueryParameters: true, withFragments: true }).map(tokenOfUrl),
);

test(`${inputs} drawn, changed and arbitrary tokens crash nothing, and none is accepted that the strict grammar refuses`, {
  timeout: 1_800_000,
}, () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: drawn }, { weight: 1, arbitrary }), (token) => {
      const verdict = readToken(token, { now, partition: 'aws' });
      if (verdict.kind === 'refused') return;
      accepted += 1;
      expect([token, faultOfToken(token, now)]).toEqual([token, undefined]);
    }),
    { numRuns: inputs },
  );
  // A verifier that refuses everything would pass too.
  expect(accepted).toBeGreaterThan(inputs / 20);
});
