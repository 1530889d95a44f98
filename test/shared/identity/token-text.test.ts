import { describe, expect, it } from 'vitest';
import { mostTokenBytes, tokenPrefix, urlInToken } from '../../../shared/identity/token-text.ts';

const url = 'https://sts.amazonaws.com/?Action=GetCallerIdentity';
const tokenOf = (text: string): string => `${tokenPrefix}${Buffer.from(text).toString('base64url')}`;

describe('the text of a token', () => {
  it('has a URL, up to the longest token', () => {
    expect(urlInToken(tokenOf(url))).toBe(url);
    const most = tokenOf('x'.repeat(((mostTokenBytes - tokenPrefix.length) * 3) / 4));
    expect(urlInToken(most)).toMatch(/^x+$/);
  });

  it.each([
    ['length', 'x'.repeat(mostTokenBytes + 1)],
    ['prefix', tokenOf(url).slice(1)],
    ['encoding', tokenPrefix],
    ['encoding', `${tokenOf(url)}=`],
    ['encoding', `${tokenOf(url)}\n`],
    ['encoding', tokenOf(url).replace(tokenPrefix, `${tokenPrefix}+`)],
    ['encoding', `${tokenPrefix}YR`],
    ['url', tokenOf(`${url} x`)],
    ['url', tokenOf(`${url}\n`)],
    ['url', tokenOf('é')],
  ])('is refused for its %s: %j', (check, token) => {
    expect(urlInToken(token)).toMatchObject({ check });
  });
});
