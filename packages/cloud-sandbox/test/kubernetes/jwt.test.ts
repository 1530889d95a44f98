import { createIam } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { expect, it } from 'vitest';
import { authenticateJwt, type JwtAuthenticator } from '../../src/kubernetes/authn/jwt.ts';

const now = 1_000_000_000;
const issuerOf = (seed: number) => {
  const { tokenIssuer } = createIam({
    clock: { now: () => now },
    random: createRandom(seed),
    accountId: '1'.repeat(12),
  });
  tokenIssuer.enable();
  return tokenIssuer;
};
const [own, other] = [issuerOf(1), issuerOf(2)];
const issuer = own.url() ?? '';
const keys = () => own.document('/.well-known/jwks.json') as { keys: object[] };

const claims = { iss: issuer, aud: 'drover:prod', sub: 'ann', exp: now / 1000 + 60 };
const userOf = (token: string, changes: Partial<JwtAuthenticator> = {}) => {
  const authenticator: JwtAuthenticator = {
    issuer,
    audiences: ['drover:prod'],
    keys,
    userOf: ({ sub }) => (sub === 'eve' ? undefined : { username: String(sub), groups: [] }),
    ...changes,
  };
  return authenticateJwt(token, { issuers: new Map([[authenticator.issuer, authenticator]]), now })?.username;
};
const signed = (changes: object = {}, by = own, algorithm: 'RS256' | 'ES384' = 'ES384') =>
  by.sign({ ...claims, ...changes }, algorithm);

it('knows the user of a token of a trusted issuer, in both algorithms, and for one audience of several', () => {
  expect([
    userOf(signed()),
    userOf(signed({}, own, 'RS256')),
    userOf(signed({ aud: ['x', 'drover:prod'] })),
  ]).toEqual(['ann', 'ann', 'ann']);
});

it.each([
  ['for others', signed({ aud: 'drover:test' })],
  ['without an audience', signed({ aud: undefined })],
  ['that has ended', signed({ exp: now / 1000 })],
  ['without an end', signed({ exp: undefined })],
  ['that begins later', signed({ nbf: now / 1000 + 1 })],
  ['of another issuer', signed({ iss: `${issuer}/` })],
  ['that another issuer signed', signed({}, other)],
  ['that a rule refuses', signed({ sub: 'eve' })],
  [
    'that was changed',
    signed().replace(
      /\.[^.]+\./,
      `.${Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url')}.`,
    ),
  ],
  ['without a signature', signed().replace(/[^.]+$/, '')],
  ['without an algorithm', signed().replace(/^[^.]+/, Buffer.from('{"alg":"none"}').toString('base64url'))],
  ['with a part more', `${signed()}.x`],
  ['that is none', 'hello'],
])('does not authenticate a token %s', (_, token) => {
  expect(userOf(token)).toBeUndefined();
});

it('does not authenticate while the keys of the issuer are unavailable', () => {
  expect(userOf(signed(), { keys: () => undefined })).toBeUndefined();
});
