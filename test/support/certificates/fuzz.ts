import * as fc from 'fast-check';
import { readRequest } from '../../../shared/certificates/read-request.ts';
import { nodeFacts } from './facts.ts';
import {
  clientRequest,
  createPem,
  instanceUser,
  nodeName,
  nodeUser,
  now,
  servingRequest,
} from './requests.ts';
import { verdictOn } from './verdict-on.ts';

export const derOf = (pem: string): Buffer =>
  Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');

export const pemOf = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

/** Requests that are approved as they are: what a mutation leaves approvable must be the very same request. */
const originals = await Promise.all([
  createPem(),
  createPem({ dnsNames: [nodeName], ipAddresses: ['10.0.0.1'] }),
  createPem({
    algorithm: {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
  }),
]);
const ders = originals.map(derOf);

interface Mutation {
  readonly kind: 'flip' | 'insert' | 'remove' | 'copy';
  readonly at: number;
  readonly byte: number;
  readonly length: number;
}

const mutations = fc.array(
  fc.record({
    kind: fc.constantFrom('flip', 'insert', 'remove', 'copy'),
    at: fc.nat(2000),
    byte: fc.integer({ min: 1, max: 255 }),
    length: fc.integer({ min: 1, max: 16 }),
  }),
  { minLength: 1, maxLength: 4 },
) as fc.Arbitrary<readonly Mutation[]>;

function mutate(der: Buffer, { kind, at, byte, length }: Mutation): Buffer {
  const place = at % der.length;
  const [head, tail] = [der.subarray(0, place), der.subarray(place)];
  switch (kind) {
    case 'flip':
      return Buffer.concat([head, Buffer.from([(tail[0] ?? 0) ^ byte]), tail.subarray(1)]);
    case 'insert':
      return Buffer.concat([head, Buffer.from([byte]), tail]);
    case 'remove':
      return Buffer.concat([head, tail.subarray(length)]);
    case 'copy':
      return Buffer.concat([head, tail.subarray(0, length), tail]);
  }
}

/** Reads arbitrary bytes and mutated real requests: nothing throws, and nothing but the original is approved. */
export function fuzzRequests(runs: number, seed?: number): void {
  const parameters = { numRuns: runs, ...(seed !== undefined && { seed }) };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => isRefused(pemOf(bytes))),
    parameters,
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => isRefused(text)),
    parameters,
  );
  fc.assert(
    fc.property(fc.constantFrom(...ders), mutations, (der, changes) => {
      const mutated = changes.reduce(mutate, der);
      return mutated.equals(der) || isRefused(pemOf(mutated));
    }),
    parameters,
  );
}

function isRefused(pem: string): boolean {
  if (readRequest(pem).kind === 'unreadable') return true;
  const client = clientRequest(pem, instanceUser());
  const serving = servingRequest(pem, { ...nodeUser(), createdAt: now });
  const approved = [verdictOn(client), verdictOn(serving, { node: nodeFacts() })].filter(
    ({ kind }) => kind === 'approve',
  );
  return approved.length === 0;
}

/** The original requests, so that a fuzzer that refuses everything is noticed. */
export const areApproved = (): boolean => originals.every((pem) => !isRefused(pem));
