import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expiryOf } from '../../../cli/token/web-identity.ts';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (claims: unknown): string => `${encoded({ alg: 'ES256' })}.${encoded(claims)}.c2ln`;

describe('when a JWT expires', () => {
  it('is in its claim, in seconds', () => {
    expect(expiryOf(tokenOf({ exp: 1_764_000_000, sub: 'é'.repeat(9) }))).toBe(1_764_000_000_000);
  });

  it.each([
    ['a claim that is a text', tokenOf({ exp: '1764000000' })],
    ['no such claim', tokenOf({})],
    ['no claims', tokenOf(null)],
    ['a payload that is not JSON', `a.${Buffer.from('x').toString('base64url')}.c`],
    ['two parts', tokenOf({ exp: 1 }).split('.').slice(0, 2).join('.')],
    ['four parts', `${tokenOf({ exp: 1 })}.c2ln`],
    ['a space before it', ` ${tokenOf({ exp: 1 })}`],
    ['a newline after it', `${tokenOf({ exp: 1 })}\n`],
    ['an empty part', tokenOf({ exp: 1 }).replace(/c2ln$/, '')],
    ['nothing', ''],
  ])('is unknown for %s', (_, text) => {
    expect(expiryOf(text)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(expiryOf(`${one}.${other}.${one}`) ?? 0).toBeTypeOf('number');
      }),
    );
  });
});
