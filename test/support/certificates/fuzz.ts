import * as fc from 'fast-check';
import { instanceFacts, nodeFacts, settings } from '../../../local/world/certificates/facts.ts';
import {
  clientRequest,
  createPem,
  instanceId,
  instanceUser,
  nodeName,
  nodeUser,
  now,
  servingRequest,
} from '../../../local/world/certificates/requests.ts';
import type { CertificateRequest } from '../../../shared/certificates/certificate-request.ts';
import { decideAll, listedRequest } from '../../../shared/certificates/decide.ts';
import type { NodeFacts } from '../../../shared/certificates/facts.ts';
import { requestText } from '../../../shared/certificates/read-request.ts';
import { infos, mutateTree, signedRequest, treeMutations } from './signed-requests.ts';
import { type Allowed, mayPass } from './strict-rules.ts';

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

/**
 * Reads arbitrary bytes and texts, mutated real requests, and mutated ones that are signed again. Nothing throws. No mutated request is
 * approved unless it equals the original, and none that is signed again if the strict rules refuse it.
 */
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
  fc.assert(
    fc.property(fc.constantFrom(...infos), treeMutations, (info, changes) =>
      isJudgedStrictly(signedRequest(changes.reduce(mutateTree, info))),
    ),
    parameters,
  );
}

/** What an approval may be for, by the facts of the fixtures. */
const allowed: Allowed = {
  commonName: `system:node:${nodeName}`,
  dnsNames: [nodeName, instanceId],
  addresses: ['0a000001', '20010db8000000000000000000000001'],
};

const isJudgedStrictly = (der: Uint8Array): boolean =>
  signersThatApprove(pemOf(der)).every((signer) => mayPass(der, signer, allowed));

const isRefused = (pem: string): boolean => signersThatApprove(pem).length === 0;

/** The requester has the credential of the instance, or is its node: more than what the request says could object to nothing. */
function signersThatApprove(pem: string): readonly ('client' | 'serving')[] {
  const text = requestText(pem);
  if (text.read().kind === 'unreadable') return [];
  const approves = (request: CertificateRequest, node: NodeFacts | undefined): boolean =>
    decideAll({
      requests: [listedRequest(request, text)],
      instancesOf: (name) => (name === nodeName ? [instanceFacts()] : []),
      nodeOf: (name) => (name === nodeName ? node : undefined),
      settings,
      now,
    }).some(({ verdict }) => verdict.kind === 'approve');
  return [
    ...(approves(clientRequest(pem, instanceUser()), undefined) ? (['client'] as const) : []),
    ...(approves(servingRequest(pem, nodeUser()), nodeFacts()) ? (['serving'] as const) : []),
  ];
}

/** The original requests, so that a fuzzer that refuses everything is noticed. */
export const areApproved = (): boolean =>
  originals.every((pem) => !isRefused(pem)) &&
  infos.map(signedRequest).every((der) => !isRefused(pemOf(der)) && isJudgedStrictly(der));
