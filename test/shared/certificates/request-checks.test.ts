import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { group, instanceFacts, nodeFacts } from '../../../local/world/certificates/facts.ts';
import {
  clientRequest,
  createPem,
  instanceUser,
  nodeName,
  nodeUser,
  now,
  servingRequest,
  tokenUser,
} from '../../../local/world/certificates/requests.ts';
import { readRequest } from '../../../shared/certificates/read-request.ts';
import { formCheck, keyCheck } from '../../../shared/certificates/request-checks.ts';
import { verdictOn } from '../../support/certificates/verdict-on.ts';

const clientPem = await createPem();
const ready = { node: nodeFacts() };

const nodeBootstrapper = {
  username: 'system:serviceaccount:openshift-infra:node-bootstrapper',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:openshift-infra', 'system:authenticated'],
};

describe('the requester', () => {
  test('with the credential that all new nodes of OpenShift 3.11 share gets the certificate of a worker only', () => {
    const request = clientRequest(clientPem, { ...nodeBootstrapper, withoutSigner: {} });
    expect(verdictOn(request)).toMatchObject({ kind: 'approve' });
    expect(
      verdictOn(request, { instances: [instanceFacts({ group: { ...group, role: 'control-plane' } })] }),
    ).toMatchObject({
      kind: 'deny',
    });
  });

  test.each([
    ['a user', { username: 'ana', groups: ['system:authenticated'] }],
    [
      'a bootstrap token of another tool',
      { ...tokenUser, groups: ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token'] },
    ],
    [
      'a token outside the group of bootstrappers',
      { ...tokenUser, groups: ['system:bootstrappers:drover:worker'] },
    ],
    ['a user that only looks like a token', { ...tokenUser, username: 'system:bootstrap:abcdef0' }],
    ['a node outside system:nodes', { ...nodeUser(), groups: ['system:authenticated'] }],
    [
      'an account with the name of OpenShift 3.11’s node-bootstrapper, on a server with signers',
      nodeBootstrapper,
    ],
    [
      'the node-bootstrapper of OpenShift 3.11, from another namespace',
      {
        ...nodeBootstrapper,
        withoutSigner: {},
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default'],
      },
    ],
    [
      'the node-bootstrapper of OpenShift 4',
      {
        username: 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper',
        groups: [
          'system:serviceaccounts',
          'system:serviceaccounts:openshift-machine-config-operator',
          'system:authenticated',
        ],
      },
    ],
    ['an instance whose identity is not in extra', { ...instanceUser(), extra: {} }],
    [
      'an instance with another identity in extra',
      { ...instanceUser(), extra: { 'drover.dev/instance-id': ['i-0bbbbbbbbbbbbbbb2'] } },
    ],
    [
      'an instance with two identities in extra',
      {
        ...instanceUser(),
        extra: { 'drover.dev/instance-id': ['i-0aaaaaaaaaaaaaaa1', 'i-0bbbbbbbbbbbbbbb2'] },
      },
    ],
  ])('%s is left to other approvers', (_, user) => {
    expect(verdictOn(clientRequest(clientPem, user))).toMatchObject({ kind: 'not-ours', check: 'scope' });
  });

  test('another signer, and a decided request, are left alone', () => {
    expect(
      verdictOn(clientRequest(clientPem, { signerName: 'kubernetes.io/kube-apiserver-client' })),
    ).toMatchObject({ kind: 'not-ours' });
    for (const type of ['Approved', 'Denied', 'Failed'])
      expect(
        verdictOn(
          clientRequest(clientPem, {
            conditions: [{ type, status: 'True', reason: 'X', message: '', at: now }],
          }),
        ),
      ).toMatchObject({ kind: 'not-ours' });
  });
});

describe('the form of the signers', () => {
  test.each([
    ['a second organization', 'O=system:nodes,O=system:masters', 'subject'],
    ['another organization', `O=system:masters,CN=system:node:${nodeName}`, 'organization'],
    ['no organization', `CN=system:node:${nodeName}`, 'subject'],
    ['a unit beside', `O=system:nodes,OU=x,CN=system:node:${nodeName}`, 'subject'],
    ['two common names', `O=system:nodes,CN=system:node:${nodeName},CN=system:node:b`, 'subject'],
    ['several values in one name', `O=system:nodes+CN=system:node:${nodeName}`, 'subject'],
    ['no node', 'O=system:nodes,CN=system:node:', 'common name'],
    ['the name of a user', 'O=system:nodes,CN=ana', 'common name'],
    ['a name in capitals', 'O=system:nodes,CN=system:node:IP-10-0-0-1', 'common name'],
    ['a name with a line break', 'O=system:nodes,CN=system:node:a\\0Ab', 'common name'],
  ])('%s is denied', async (_, subject, word) => {
    const verdict = verdictOn(clientRequest(await createPem({ subject })));
    expect(verdict).toMatchObject({ kind: 'deny' });
    expect(verdict.reason).toContain(word);
  });

  test.each([
    ['DNS names', { dnsNames: [nodeName] }],
    ['addresses', { ipAddresses: ['10.0.0.1'] }],
    ['e-mail addresses', { emails: ['a@example.org'] }],
    ['URIs', { uris: ['spiffe://a'] }],
  ])('a client certificate with %s is denied', async (_, names) => {
    expect(verdictOn(clientRequest(await createPem(names)))).toMatchObject({ kind: 'deny', check: 'form' });
  });

  test.each([
    ['an e-mail address', { dnsNames: [nodeName], emails: ['a@example.org'] }],
    ['a URI', { dnsNames: [nodeName], uris: ['spiffe://a'] }],
    ['no name at all', {}],
  ])('a serving certificate with %s is denied', async (_, names) => {
    expect(verdictOn(servingRequest(await createPem(names)), ready)).toMatchObject({
      kind: 'deny',
      check: 'form',
    });
  });

  test.each([
    [['digital signature', 'client auth'], 'approve'],
    [['client auth', 'key encipherment', 'digital signature'], 'approve'],
    [['client auth'], 'deny'],
    [['digital signature', 'client auth', 'server auth'], 'deny'],
    [['digital signature', 'client auth', 'client auth'], 'deny'],
    [['digital signature', 'server auth'], 'deny'],
    [['digital signature', 'client auth', 'cert sign'], 'deny'],
    [['any'], 'deny'],
    [[], 'deny'],
  ])('usages %j of a client certificate: %s', (usages, kind) => {
    expect(verdictOn(clientRequest(clientPem, { usages }))).toMatchObject({ kind });
  });
});

describe('the key', () => {
  const rsa = (modulusLength: number, hash = 'SHA-256') => ({
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash,
  });
  test.each([
    ['RSA of 2048 bits', rsa(2048), 'approve'],
    ['RSA of 1024 bits', rsa(1024), 'deny'],
    ['RSA signed with SHA-1', rsa(2048, 'SHA-1'), 'deny'],
    ['RSA-PSS', { ...rsa(2048), name: 'RSA-PSS', saltLength: 32 }, 'deny'],
    ['P-384', { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }, 'approve'],
    ['P-521', { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' }, 'approve'],
    ['Ed25519', { name: 'Ed25519' }, 'approve'],
  ])('%s: %s', async (_, algorithm, kind) => {
    expect(verdictOn(clientRequest(await createPem({ algorithm })))).toMatchObject({ kind });
  });

  test('a request that its own key has not signed is denied', async () => {
    const der = (pem: string) => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
    const bytes = der(await createPem());
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    expect(verdictOn(clientRequest(pem))).toMatchObject({ kind: 'deny', check: 'key' });
  });
});

describe('the lifetime', () => {
  test.each([
    [undefined, 'approve'],
    [86_400, 'approve'],
    [366 * 86_400, 'approve'],
    [367 * 86_400, 'deny'],
    [3650 * 86_400, 'deny'],
  ])('%s seconds: %s', (expirationSeconds, kind) => {
    expect(verdictOn(clientRequest(clientPem, { expirationSeconds }))).toMatchObject({ kind });
  });
});

const reading = readRequest(await createPem());
if (reading.kind === 'unreadable') throw new Error(reading.problem);
const { request } = reading;

const curve = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).publicKey;

/** Of so many bits; nothing has its private key. */
function rsa(bits: number): KeyObject {
  const modulus = randomBytes(bits / 8);
  modulus.writeUInt8(modulus.readUInt8(0) | 0x80, 0);
  return createPublicKey({ key: { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' }, format: 'jwk' });
}

describe('a key', () => {
  test.each([
    ['of a curve that Kubernetes does not use', curve('secp256k1'), 'the curve of its key is secp256k1'],
    ['of a kind that signers refuse', generateKeyPairSync('ed448').publicKey, 'not RSA, ECDSA or Ed25519'],
    ['that takes seconds to verify', rsa(8200), 'has 8200 bits, more than 8192'],
    ['of the longest length that has not signed the request', rsa(8192), 'not signed by its own key'],
    ['that is strong, and has not signed the request', curve('prime256v1'), 'not signed by its own key'],
  ])('%s is denied', (_, key, reason) => {
    const publicKey = new Uint8Array(key.export({ format: 'der', type: 'spki' }));
    expect(keyCheck({ ...request, publicKey })).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining(reason),
    });
  });

  test('that cannot be read is denied', () => {
    expect(keyCheck({ ...request, publicKey: new Uint8Array([1, 2, 3]) })).toMatchObject({
      kind: 'deny',
      reason: 'its public key cannot be read',
    });
  });
});

test('no usage is right for a signer other than those of kubelets', () => {
  const signer = { signerName: 'kubernetes.io/legacy-unknown', usages: ['digital signature', 'client auth'] };
  expect(formCheck(signer, request)).toMatchObject({
    kind: 'deny',
    reason: expect.stringContaining('its usages are not exactly those of the signer'),
  });
});
