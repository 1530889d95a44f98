import { X509Certificate } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuthority, issueLeaf } from '../../../cli/pki/issue.ts';
import { authorities, etcdServerPath, filesOf, leavesFor } from '../../../cli/pki/layout.ts';
import { certificateNames, discoveryDomain } from '../../../cli/pki/names.ts';
import { namesMadeFor } from '../../../cli/pki/plan.ts';
import {
  instanceOfHost,
  longestDomain,
  longestServiceName,
  memberHost,
  srvServices,
} from '../../../shared/etcd/names.ts';

const edge = 'abcxyz019'.split('');
const label = fc
  .tuple(
    fc.constantFrom(...edge),
    fc.string({ unit: fc.constantFrom(...edge, '-'), maxLength: 20 }),
    fc.constantFrom(...'abcxyz'.split('')),
  )
  .map((parts) => parts.join(''));
const domains = fc.array(label, { minLength: 2, maxLength: 6 }).map((labels) => labels.join('.'));
const instanceIds = fc
  .string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: 17, maxLength: 17 })
  .map((digits) => `i-${digits}`);

describe('the domain of discovery', () => {
  it('is normalized to lower case without a trailing dot', () => {
    fc.assert(
      fc.property(domains, (domain) => {
        expect(discoveryDomain(`${domain.toUpperCase()}.`)).toBe(domain);
      }),
    );
  });

  it('is short enough for the names of its SRV sets', () => {
    const ofLength = (length: number) =>
      `${'a'.repeat(62)}.`
        .repeat(4)
        .slice(0, length - 2)
        .concat('.a')
        .replace('..', 'a.');
    const serviceName = 'n'.repeat(longestServiceName);
    const domain = discoveryDomain(ofLength(longestDomain));
    const lengths = srvServices({ domain, services: 'ssl', serviceName }).map(({ name }) => name.length);
    expect(Math.max(...lengths)).toBe(253);
    expect(() => discoveryDomain(ofLength(longestDomain + 1))).toThrow(/at most 198 characters/);
  });

  it.each(['', '.', 'internal', 'a..b', '*.a.b', 'a_b.c', 'a b.c', `${'a'.repeat(64)}.b`, '::1', 'a.b\n'])(
    'cannot be %j',
    (text) => {
      expect(() => discoveryDomain(text)).toThrow(/DNS domain/);
    },
  );
});

describe('a certificate of a member', () => {
  it('is valid for every member of the domain, and for no host of another domain', async () => {
    const validity = { notBefore: 0, notAfter: Date.UTC(2040, 0) };
    const [, authority = authorities[0]] = authorities;
    if (!authority) throw new Error('no authority');
    const issuer = await createAuthority({ authority, keyType: 'ecdsa-p256', validity });
    await fc.assert(
      fc.asyncProperty(domains, domains, instanceIds, async (domain, other, instanceId) => {
        fc.pre(domain !== other);
        const leaf = leavesFor({ domain, apiServerNames: [] }).find(({ path }) => path === etcdServerPath);
        if (!leaf) throw new Error('no leaf');
        const { certificate: pem } = await issueLeaf(issuer, { leaf, keyType: 'ecdsa-p256', validity });
        const certificate = new X509Certificate(pem);
        const host = memberHost(instanceId, { domain });
        expect(certificate.checkHost(host)).toBeDefined();
        expect(instanceOfHost(host, { domain })).toBe(instanceId);
        expect(certificate.checkHost(domain)).toBe(domain);
        expect(certificate.checkHost(memberHost(instanceId, { domain: other }))).toBeUndefined();
        expect(namesMadeFor(new Map([[`${etcdServerPath}.crt`, pem]])).domain).toBe(domain);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the names of the API server', () => {
  it('are host names and addresses without duplicates', () => {
    expect(certificateNames('API.example.com, 10.0.0.1,fd00::1,*.example.com,10.0.0.1')).toEqual([
      'api.example.com',
      '10.0.0.1',
      'fd00::1',
      '*.example.com',
    ]);
  });

  it.each(['a_b', 'a..b', '10.0.0.1/24', 'https://a', 'a.*.b'])('cannot be %j', (text) => {
    expect(() => certificateNames(text)).toThrow(/host names and addresses/);
  });
});

describe('the layout', () => {
  it('lists each file once', () => {
    const files = filesOf({ domain: 'a.b', apiServerNames: [] });
    expect(new Set(files).size).toBe(files.length);
  });
});
