import { expect, test } from 'vitest';
import { createPem } from '../../../local/world/certificates/requests.ts';
import { longestRequestBytes, readRequest } from '../../../shared/certificates/read-request.ts';
import { areApproved, derOf, fuzzRequests, pemOf } from '../../support/certificates/fuzz.ts';

test('no arbitrary or mutated request crashes the reader, and none is approved that the strict rules refuse', () => {
  expect(areApproved()).toBe(true);
  fuzzRequests(1500);
});

test('a request longer than 64 KiB, two requests, and a deeply nested one are unreadable', async () => {
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
