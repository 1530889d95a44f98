import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeFacts } from '../../../local/world/certificates/facts.ts';
import { createPem, nodeName, servingRequest } from '../../../local/world/certificates/requests.ts';
import { canonicalAddress } from '../../../shared/certificates/facts.ts';
import {
  createReadings,
  longestRequestBytes,
  mostElements,
  readRequest,
  requestText,
} from '../../../shared/certificates/read-request.ts';
import { areApproved, derOf, fuzzRequests, pemOf } from '../../support/certificates/fuzz.ts';
import { verdictOn } from '../../support/certificates/verdict-on.ts';

describe('an address', () => {
  test.each([
    ['10.0.0.255', '10.0.0.255'],
    ['10.0.0.256', undefined],
    ['10.0.0.01', undefined],
    ['a10.0.0.1', undefined],
    ['10.0.0.1a', undefined],
    ['10.0.0', undefined],
    ['2001:0DB8::0001', '2001:db8::1'],
    ['a::1]/x', undefined],
    ['fe80::1%eth0', undefined],
    ['1:2:3', undefined],
    ['::ffff:10.0.0.1', '::ffff:a00:1'],
    ['', undefined],
    ['localhost', undefined],
  ])('%s is %s in its canonical form', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical);
  });
});

const problemOf = (pem: string): string => {
  const reading = readRequest(pem);
  return reading.kind === 'unreadable' ? reading.problem : 'none';
};

describe('a request', () => {
  test.each([
    ['for a key usage', { extensions: [new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign)] }],
    ['to be an authority', { extensions: [new x509.BasicConstraintsExtension(true)] }],
    [
      'for a key usage beside its names',
      { dnsNames: [nodeName], extensions: [new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign)] },
    ],
  ])('%s cannot be read', async (_, options) => {
    expect(problemOf(await createPem(options))).toContain('extensions besides alternative names');
  });

  test('with a challenge password cannot be read', async () => {
    const pem = await createPem({ attributes: [new x509.ChallengePasswordAttribute('secret')] });
    expect(problemOf(pem)).toContain('attributes besides one request for extensions');
  });

  test('with a subject of several values in one name says so', async () => {
    const pem = await createPem({ subject: `O=system:nodes+CN=system:node:${nodeName}` });
    expect(problemOf(pem)).toContain('a name of several values');
  });

  test('that is not one PEM block, or has broken base64, says so', async () => {
    const pem = await createPem();
    expect(problemOf('junk')).toContain('not exactly one PEM block');
    expect(problemOf(`x${pem}`)).toContain('not exactly one PEM block');
    expect(problemOf(pem.replace(/(.)\n-----END/, '=$1\n-----END'))).toContain('base64');
  });
});

test('a name of a rare kind is denied', async () => {
  const extensions = [new x509.SubjectAlternativeNameExtension([{ type: 'id', value: '1.2.3.4' }])];
  expect(verdictOn(servingRequest(await createPem({ extensions })), { node: nodeFacts() })).toMatchObject({
    kind: 'deny',
    check: 'form',
  });
});

test('what was read is kept for 20,000 requests at most', () => {
  const readings = createReadings();
  const first = readings({ uid: 'first', pem: 'junk' });
  for (let count = 1; count < 20_000; count += 1) readings({ uid: `uid-${count}`, pem: 'junk' });
  expect(readings({ uid: 'first', pem: 'junk' })).toBe(first);
  readings({ uid: 'one more', pem: 'junk' });
  expect(readings({ uid: 'first', pem: 'junk' })).not.toBe(first);
});

test('what was read is kept for requests of 32 MiB at most', () => {
  const readings = createReadings();
  const pem = 'x'.repeat(64 * 1024);
  const first = readings({ uid: 'first', pem });
  for (let count = 1; count < 512; count += 1) readings({ uid: `uid-${count}`, pem });
  expect(readings({ uid: 'first', pem })).toBe(first);
  readings({ uid: 'one more', pem });
  expect(readings({ uid: 'first', pem })).not.toBe(first);
});

test('a request is read once, however often it is listed', async () => {
  const readings = createReadings();
  const request = { uid: 'one', pem: await createPem() };
  const first = readings(request);
  expect(readings(request)).toBe(first);
  expect(readings({ ...request, uid: 'two' })).not.toBe(first);
  expect(readings(request)).toBe(first);
});

test('no arbitrary or mutated request crashes the reader, and none is approved that the strict rules refuse', () => {
  expect(areApproved()).toBe(true);
  fuzzRequests(1500);
});

test('a request longer than 16 KiB, two requests, and a deeply nested one are unreadable', async () => {
  const pem = await createPem();
  const nested = Buffer.alloc(40_000, Buffer.from([0x30, 0x80]));
  const texts = [
    `${pem}${' '.repeat(longestRequestBytes)}`,
    `${pem}${pem}`,
    `-----BEGIN CERTIFICATE REQUEST-----\n${nested.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`,
    '',
  ];
  expect(texts.map((text) => readRequest(text).kind)).toEqual(texts.map(() => 'unreadable'));
});

test('a request with unusual parameters of its signature algorithm, which no signature covers, is unreadable', async () => {
  const pem = await createPem({
    algorithm: {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
  });
  const hex = derOf(pem).toString('hex');
  const place = hex.lastIndexOf('05000382');
  const changed = Buffer.from(`${hex.slice(0, place)}0400${hex.slice(place + 4)}`, 'hex');
  expect(readRequest(pem).kind).toBe('read');
  expect(readRequest(pemOf(changed))).toEqual({
    kind: 'unreadable',
    problem: expect.stringContaining('signature algorithm has unusual parameters'),
  });
});

describe('the scan of a request before it is parsed', () => {
  const names = (count: number) => Array.from({ length: count }, (_, place) => `n${place}.example.com`);

  test('finds the common name that the parser finds', async () => {
    for (const subject of ['O=system:nodes,CN=system:node:a-b.c', 'CN=system:node:d,O=system:nodes']) {
      const { commonName, read } = requestText(await createPem({ subject, dnsNames: ['other'] }));
      expect(read()).toMatchObject({ kind: 'read', request: { commonName } });
    }
  });

  test('passes a hundred names, and refuses more elements than a kubelet ever asks for', async () => {
    expect(readRequest(await createPem({ dnsNames: names(100) })).kind).toBe('read');
    expect(readRequest(await createPem({ dnsNames: names(mostElements) }))).toEqual({
      kind: 'unreadable',
      problem: `it has more than ${mostElements} elements`,
    });
  });

  test('refuses DER of many levels', () => {
    const nested = Array.from({ length: 40 }).reduce<Buffer>(
      (inner) => Buffer.concat([Buffer.from([0x30, inner.length]), inner]),
      Buffer.alloc(0),
    );
    const pemOfNested = `-----BEGIN CERTIFICATE REQUEST-----\n${nested.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    expect(requestText(pemOfNested).commonName).toBeUndefined();
    expect(readRequest(pemOfNested)).toEqual({
      kind: 'unreadable',
      problem: 'its DER has more than 16 levels',
    });
  });

  test('ends for every text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(bytes).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
        expect(() => requestText(pem)).not.toThrow();
      }),
    );
  });
});
