import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createPem } from '../../../local/world/certificates/requests.ts';
import { formCheck } from '../../../shared/certificates/checks/form.ts';
import { keyCheck } from '../../../shared/certificates/checks/key.ts';
import { readRequest } from '../../../shared/certificates/read-request.ts';

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

test('no usage is right for a signer that is not one of kubelets', () => {
  const signer = { signerName: 'kubernetes.io/legacy-unknown', usages: ['digital signature', 'client auth'] };
  expect(formCheck(signer, request)).toMatchObject({
    kind: 'deny',
    reason: expect.stringContaining('its usages are not exactly those of the signer'),
  });
});
