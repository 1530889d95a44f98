import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostTokenBytes, readToken, tokenPrefix, urlInToken } from '../../../shared/identity/read-token.ts';
import { stsHosts } from '../../../shared/identity/sts-hosts.ts';
import { faultOfUrl } from '../../support/tokens/strict-grammar.ts';
import { presignedUrl, signedAt, tokenOf } from './tokens.ts';

const url = await presignedUrl();
const read = (text: string, { now = signedAt + 60_000, partition = 'aws' } = {}) =>
  readToken(text, { now, partition });
const changed = (pattern: string | RegExp, replacement: string): string => {
  const other = url.replace(pattern, replacement);
  expect(other).not.toBe(url);
  return tokenOf(other);
};

describe('readToken', () => {
  it('takes what our own client presigns, for 15 minutes', () => {
    expect(read(tokenOf(url))).toEqual({
      kind: 'presigned',
      query: Object.fromEntries(new URL(url).searchParams),
      host: 'sts.eu-west-1.amazonaws.com',
      accessKeyId: 'ASIAQ3EGR6KXEXAMPLE2',
      signedAt,
      expiresAt: signedAt + 900_000,
    });
  });

  it.each([...stsHosts])(
    'takes a token for %s, and only in its own partition',
    async (host, { region, partition }) => {
      const token = tokenOf((await presignedUrl(region)).replace(/^https:\/\/[^/]+/, `https://${host}`));
      expect(read(token, { partition })).toMatchObject({ kind: 'presigned', host });
      expect(read(token, { partition: partition === 'aws' ? 'aws-cn' : 'aws' })).toMatchObject({
        check: 'host',
      });
    },
  );

  it.each([
    ['a token without credentials of a session', /&X-Amz-Security-Token=[^&]*/, ''],
    ['names of parameters in another case', 'X-Amz-Date', 'x-amz-DATE'],
    ['X-Amz-Expires=0', 'X-Amz-Expires=60', 'X-Amz-Expires=0'],
    ['X-Amz-Expires=900', 'X-Amz-Expires=60', 'X-Amz-Expires=900'],
    ['a slash in a value that is not encoded', '%2F', '/'],
  ])('takes %s', (_, pattern, replacement) => {
    expect(read(changed(pattern, replacement)).kind).toBe('presigned');
  });

  // What aws-iam-authenticator 0.7.18 was seen to accept or refuse, and what it does not check, each by name.
  it.each([
    ['a user in the URL', 'https://', 'https://me@', 'host'],
    ['a fragment', /$/, '#part', 'url'],
    ['the scheme in upper case', 'https:', 'HTTPS:', 'url'],
    ['http', 'https:', 'http:', 'url'],
    ['the default port', '.com/', '.com:443/', 'host'],
    ['a host in upper case', 'sts.eu', 'STS.eu', 'host'],
    ['a host with a dot at its end', '.com/', '.com./', 'host'],
    ['a host below an endpoint of STS', 'sts.eu', 'evil.sts.eu', 'host'],
    ['a host that begins like an endpoint of STS', '.com/', '.com.evil.example/', 'host'],
    ['a region that does not exist', 'sts.eu-west-1.', 'sts.eu-west-9.', 'host'],
    ['another service', 'sts.eu', 's3.eu', 'host'],
    ['another port', '.com/', '.com:8443/', 'host'],
    ['an empty port', '.com/', '.com:/', 'host'],
    ['an empty user', 'https://', 'https://@', 'host'],
    ['a look-alike behind a user that is an endpoint', '.com/', '.com@evil.example/', 'host'],
    ['a look-alike behind a user and a password', '.com/', '.com:x@evil.example/', 'host'],
    ['a host in punycode', 'sts.eu', 'xn--sts-9ka.eu', 'host'],
    ['a host with an encoded dot', 'sts.eu', 'sts%2Eeu', 'host'],
    ['a host with two dots', 'sts.eu', 'sts..eu', 'host'],
    ['a host that ends with an endpoint, without a dot', 'https://sts', 'https://evilsts', 'host'],
    ['an address instead of a host', /\/\/[^/]+/, '//127.0.0.1', 'host'],
    ['an address of IPv6 instead of a host', /\/\/[^/]+/, '//[::1]', 'host'],
    ['no host', /\/\/[^/]+/, '//', 'host'],
    ['a host that is a name of JavaScript', /\/\/[^/]+/, '//constructor', 'host'],
    ['the endpoint for all regions with the scope of another', 'sts.eu-west-1.', 'sts.', 'credential'],
    ['no path', '.com/?', '.com?', 'path'],
    ['two slashes', '.com/?', '.com//?', 'path'],
    ['an encoded slash', '.com/?', '.com/%2f?', 'path'],
    ['a path that leads back', '.com/?', '.com/a/../?', 'path'],
    ['a backslash', '.com/?', '.com\\?', 'host'],
    ['white space before', 'https', ' https', 'url'],
    ['a line break', '.com/?', '.com/?\n', 'url'],
    ['a semicolon between parameters', '&X-Amz-Date', ';X-Amz-Date', 'parameters'],
    ['two question marks', '/?', '/??', 'parameters'],
    ['an empty part', '&X-Amz-Date', '&&X-Amz-Date', 'parameters'],
    ['a parameter twice', /$/, '&Action=GetCallerIdentity', 'parameters'],
    ['a parameter twice in another case', /$/, '&action=GetCallerIdentity', 'parameters'],
    ['a parameter with two names', 'X-Amz-Date', 'X-Amz-%44ate', 'parameters'],
    ['a parameter twice with an encoded value', /$/, '&Action=%47etCallerIdentity', 'parameters'],
    ['the signature twice', /$/, `&X-Amz-Signature=${'0'.repeat(64)}`, 'parameters'],
    ['the cluster as a parameter', /$/, '&x-k8s-aws-id=prod', 'parameters'],
    ['a parameter without a value', 'Expires=60', 'Expires=', 'parameters'],
    ['a parameter with brackets', 'X-Amz-Expires', 'X-Amz-Expires[]', 'parameters'],
    ['a value that is encoded twice', '%2F', '%252F', 'credential'],
    ['a character of two bytes in a value', 'Expires=60', 'Expires=%C3%A9', 'parameters'],
    ['another parameter', /$/, '&Marker=1', 'parameters'],
    [
      'a letter that folds to an ASCII one',
      'X-Amz-Signature',
      'X-Amz-\u017fignature'.replace('\u017f', '%C5%BF'),
      'parameters',
    ],
    ['a percent sign on its own', 'Expires=60', 'Expires=6%0', 'parameters'],
    ['a control character in a value', 'Expires=60', 'Expires=60%00', 'parameters'],
    ['a space in a value', 'Expires=60', 'Expires=60%20', 'parameters'],
    ['a plus sign, which a form reads as a space', 'Expires=60', 'Expires=+60', 'parameters'],
    ['another action', 'GetCallerIdentity', 'GetSessionToken', 'action'],
    ['an action in another case', 'GetCallerIdentity', 'getcalleridentity', 'action'],
    ['no action', 'Action=GetCallerIdentity&', '', 'action'],
    ['no version', '&Version=2011-06-15', '', 'version'],
    ['another version', '2011-06-15', '2011-06-16', 'version'],
    ['no algorithm', /X-Amz-Algorithm=[^&]*&/, '', 'algorithm'],
    ['another algorithm', 'AWS4-HMAC-SHA256', 'AWS4-ECDSA-P256-SHA256', 'algorithm'],
    ['no credential', /&X-Amz-Credential=[^&]*/, '', 'credential'],
    ['an access key id of other characters', 'ASIAQ3EGR6KXEXAMPLE2', 'ASIA%7B%7BKXEXAMPLE2', 'credential'],
    ['the region of another endpoint', 'eu-west-1%2Fsts', 'us-east-1%2Fsts', 'credential'],
    ['another service in the scope', '%2Fsts%2F', '%2Fs3%2F', 'credential'],
    ['another day in the scope', 'EXAMPLE2%2F20261123', 'EXAMPLE2%2F20261122', 'credential'],
    ['no date', /&X-Amz-Date=[^&]*/, '', 'credential'],
    ['a date with fractions', '20261123T080000Z', '20261123T080000.5Z', 'date'],
    ['a time that no clock shows', '20261123T080000Z', '20261123T250000Z', 'date'],
    ['no expiry', /&X-Amz-Expires=\d+/, '', 'expires'],
    ['an expiry beyond 15 minutes', 'Expires=60', 'Expires=901', 'expires'],
    ['an expiry with zeros before', 'Expires=60', 'Expires=0060', 'expires'],
    ['a negative expiry', 'Expires=60', 'Expires=-60', 'expires'],
    ['an expiry with an encoded plus sign', 'Expires=60', 'Expires=%2B60', 'expires'],
    ['an expiry with a space before', 'Expires=60', 'Expires=%2060', 'parameters'],
    ['an expiry in other digits', 'Expires=60', 'Expires=0x3C', 'expires'],
    ['an expiry with an exponent', 'Expires=60', 'Expires=6e1', 'expires'],
    ['an expiry of a thousand seconds', 'Expires=60', 'Expires=1000', 'expires'],
    ['an expiry with a fraction', 'Expires=60', 'Expires=60.0', 'expires'],
    ['a token that signs no cluster', 'host%3Bx-k8s-aws-id', 'host', 'signed-headers'],
    ['a token that signs only the cluster', 'host%3Bx-k8s-aws-id', 'x-k8s-aws-id', 'signed-headers'],
    [
      'a token that signs no header',
      'SignedHeaders=host%3Bx-k8s-aws-id',
      'SignedHeaders=%3B',
      'signed-headers',
    ],
    ['signed headers in another order', 'host%3Bx-k8s-aws-id', 'x-k8s-aws-id%3Bhost', 'signed-headers'],
    ['a signed header twice', 'host%3Bx-k8s', 'host%3Bhost%3Bx-k8s', 'signed-headers'],
    ['a header that begins like that of the cluster', 'aws-id', 'aws-id2', 'signed-headers'],
    ['a signature in upper case', /Signature=[0-9a-f]{64}/, `Signature=${'AB'.repeat(32)}`, 'signature'],
    [
      'a token that signs another header too',
      'host%3Bx-k8s-aws-id',
      'host%3Bx-evil%3Bx-k8s-aws-id',
      'signed-headers',
    ],
    ['no signature', /&X-Amz-Signature=[^&]*/, '', 'signature'],
    ['a short signature', /Signature=.{8}/, 'Signature=', 'signature'],
    ['a session token of other characters', 'Security-Token=', 'Security-Token=%3C', 'security-token'],
  ])('refuses %s', (_, pattern, replacement, check) => {
    expect(read(changed(pattern, replacement))).toMatchObject({ kind: 'refused', check });
  });

  const encoded = Buffer.from(url).toString('base64url');
  it.each([
    ['no text', '', 'prefix'],
    ['a token of a service account', 'eyJhbGciOiJSUzI1NiJ9.e30.x', 'prefix'],
    ['the prefix in another case', `K8S-AWS-V1.${encoded}`, 'prefix'],
    ['another version of the prefix', `k8s-aws-v2.${encoded}`, 'prefix'],
    ['padding', `k8s-aws-v1.${encoded}=`, 'encoding'],
    ['a line break within', `k8s-aws-v1.${encoded.slice(0, 40)}\n${encoded.slice(40)}`, 'encoding'],
    ['a line break at the end', `k8s-aws-v1.${encoded}\n`, 'encoding'],
    ['the letters of base64', 'k8s-aws-v1.a+b/', 'encoding'],
    ['unused bits', 'k8s-aws-v1.YR', 'encoding'],
    ['a single letter more', `k8s-aws-v1.${'A'.repeat(5)}`, 'encoding'],
    ['more than 4096 bytes', `k8s-aws-v1.${'A'.repeat(4086)}`, 'length'],
    ['bytes that are not ASCII', tokenOf(`${url}\u00e9`), 'url'],
  ])('refuses %s', (_, token, check) => {
    expect(read(token)).toMatchObject({ kind: 'refused', check });
  });

  it.each([
    ['a second before its 15 minutes are over', 899_000, 'presigned'],
    ['once its 15 minutes are over', 900_000, 'refused'],
    ['from a clock that is five minutes ahead', -300_000, 'presigned'],
    ['from a clock that is further ahead', -301_000, 'refused'],
    ['from a clock that is as far ahead as STS takes', -900_000, 'refused'],
    ['from a clock that is as far behind as STS takes', 900_001, 'refused'],
  ])('a token %s: %i ms after it was signed', (_, after, kind) => {
    expect(read(tokenOf(url), { now: signedAt + after }).kind).toBe(kind);
  });

  it('quotes nothing of the token in a reason', () => {
    fc.assert(
      fc.property(mutated(url), (other) => {
        const verdict = read(tokenOf(other));
        if (verdict.kind !== 'refused') return;
        for (const part of verdict.reason.split(/[\s,;:]+/))
          expect(part.length > 20 && other.includes(part) && !/^x-amz-|^https?$/.test(part)).toBe(false);
      }),
    );
  });

  it('takes no mutation that a strict reading by the rules of URLs refuses', () => {
    fc.assert(
      fc.property(mutated(url), (other) => {
        const verdict = read(tokenOf(other));
        if (verdict.kind === 'presigned')
          expect([other, faultOfUrl(other, signedAt + 60_000)]).toEqual([other, undefined]);
      }),
      { numRuns: 5000 },
    );
  });
});

/** The URL with a few of its parts changed, moved, doubled or taken out. */
function mutated(text: string): fc.Arbitrary<string> {
  const junk = fc.oneof(
    fc.constantFrom(
      '%',
      '%2F',
      '%00',
      '&',
      '=',
      '?',
      '#',
      '/',
      '//',
      '..',
      '@',
      ':',
      ':443',
      ';',
      '+',
      ' ',
      '\\',
      '\n',
      '\t',
    ),
    fc.constantFrom(
      '&Action=GetCallerIdentity',
      '&x-amz-date=20261123T080000Z',
      'X-Amz-Expires=900',
      '0',
      'A',
      'a',
    ),
    fc.string({ maxLength: 3 }),
  );
  const change = fc.tuple(fc.nat(text.length), fc.nat(12), junk);
  return fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce((now, [at, length, put]) => now.slice(0, at) + put + now.slice(at + length), text),
    );
}

const anyUrl = 'https://sts.amazonaws.com/?Action=GetCallerIdentity';
const textOf = (text: string): string => `${tokenPrefix}${Buffer.from(text).toString('base64url')}`;

describe('the text of a token', () => {
  it('has a URL, up to the longest token', () => {
    expect(urlInToken(textOf(anyUrl))).toBe(anyUrl);
    const most = textOf('x'.repeat(((mostTokenBytes - tokenPrefix.length) * 3) / 4));
    expect(urlInToken(most)).toMatch(/^x+$/);
  });

  it.each([
    ['length', 'x'.repeat(mostTokenBytes + 1)],
    ['prefix', textOf(anyUrl).slice(1)],
    ['encoding', tokenPrefix],
    ['encoding', `${textOf(anyUrl)}=`],
    ['encoding', `${textOf(anyUrl)}\n`],
    ['encoding', textOf(anyUrl).replace(tokenPrefix, `${tokenPrefix}+`)],
    ['encoding', `${tokenPrefix}YR`],
    ['url', textOf(`${anyUrl} x`)],
    ['url', textOf(`${anyUrl}\n`)],
    ['url', textOf('é')],
  ])('is refused for its %s: %j', (check, token) => {
    expect(urlInToken(token)).toMatchObject({ check });
  });
});
