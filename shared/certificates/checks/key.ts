import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { ReadRequest } from '../read-request.ts';
import { type CheckAnswer, deny } from '../verdict.ts';

/** Signature algorithms by object identifier, with the type of key that makes them. SHA-1 and MD5 are missing on purpose. */
const algorithms: Readonly<Record<string, { readonly keyType: string; readonly digest: string | null }>> = {
  '1.2.840.113549.1.1.11': { keyType: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { keyType: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { keyType: 'rsa', digest: 'sha512' },
  '1.2.840.10045.4.3.2': { keyType: 'ec', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { keyType: 'ec', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { keyType: 'ec', digest: 'sha512' },
  '1.3.101.112': { keyType: 'ed25519', digest: null },
};

const shortestRsaBits = 2048;
/** Longer keys cost seconds of a verification. */
const longestRsaBits = 8192;
const curves = ['prime256v1', 'secp384r1', 'secp521r1'];

/** The key is strong, and the requester has it: the request is signed with it. */
export function keyCheck(request: ReadRequest): CheckAnswer {
  const key = keyOf(request.publicKey);
  if (key === undefined) return deny('its public key cannot be read');
  const weakness = weaknessOf(key);
  if (weakness !== undefined) return deny(weakness);
  return isSignedWith(key, request) ? undefined : deny('it is not signed by its own key');
}

function keyOf(der: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    // OpenSSL's words say nothing to an operator: the verdict says that the key cannot be read.
    return undefined;
  }
}

function weaknessOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve = 'without a name' } = asymmetricKeyDetails ?? {};
  switch (asymmetricKeyType) {
    case 'rsa':
      if (modulusLength < shortestRsaBits)
        return `its RSA key has ${modulusLength} bits, fewer than ${shortestRsaBits}`;
      return modulusLength > longestRsaBits
        ? `its RSA key has ${modulusLength} bits, more than ${longestRsaBits}`
        : undefined;
    case 'ec':
      return curves.includes(namedCurve)
        ? undefined
        : `the curve of its key is ${namedCurve}, not P-256, P-384 or P-521`;
    case 'ed25519':
      return undefined;
    default:
      return 'its key is not RSA, ECDSA or Ed25519';
  }
}

function isSignedWith(key: KeyObject, { signedBytes, signature, signatureAlgorithm }: ReadRequest): boolean {
  const algorithm = algorithms[signatureAlgorithm];
  if (algorithm === undefined || algorithm.keyType !== key.asymmetricKeyType) return false;
  return verify(algorithm.digest, signedBytes, key, signature);
}
