import { expect, test } from 'vitest';
import { longestRequestBytes, readRequest } from '../../../shared/certificates/read-request.ts';
import { areApproved, fuzzRequests } from '../../support/certificates/fuzz.ts';
import { createPem } from '../../support/certificates/requests.ts';

test('no arbitrary or mutated request crashes the reader or is approved, and the original ones are', () => {
  expect(areApproved()).toBe(true);
  fuzzRequests(2000);
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
