import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto';
import type { KeyType } from './key-types.ts';

/** A key pair with the algorithm that it signs with. */
export interface KeyPair {
  readonly publicKey: webcrypto.CryptoKey;
  readonly privateKey: webcrypto.CryptoKey;
  readonly algorithm: { readonly name: string; readonly hash: string; readonly namedCurve?: string };
}

const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;
const ecdsa = (namedCurve: string) =>
  ({ name: 'ECDSA', hash: namedCurve === 'P-384' ? 'SHA-384' : 'SHA-256', namedCurve }) as const;

export async function createKeyPair(type: KeyType): Promise<KeyPair> {
  if (type === 'ecdsa-p256') return await generate(ecdsa('P-256'));
  const size = {
    modulusLength: type === 'rsa-2048' ? 2048 : 4096,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  return await generate(rsa, size);
}

async function generate(algorithm: KeyPair['algorithm'], size: object = {}): Promise<KeyPair> {
  const wanted = { ...algorithm, ...size } as webcrypto.RsaHashedKeyGenParams;
  return { ...(await webcrypto.subtle.generateKey(wanted, true, ['sign', 'verify'])), algorithm };
}

/** The curves that WebCrypto knows, by OpenSSL's names. */
const curves: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384' };

/**
 * The key of an authority, in whichever form OpenSSL or kubeadm writes one.
 *
 * @throws Error that says what kind of key cannot be used, and shows nothing of it.
 */
export async function readKeyPair(pem: string): Promise<KeyPair> {
  const key = readPrivateKey(pem);
  const curve = curves[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (key.asymmetricKeyType !== 'rsa' && curve === undefined)
    throw new Error('the key is neither RSA nor of the curves P-256 and P-384');
  const algorithm = curve === undefined ? rsa : ecdsa(curve);
  const privateKey = await webcrypto.subtle.importKey(
    'pkcs8',
    key.export({ type: 'pkcs8', format: 'der' }),
    algorithm,
    true,
    ['sign'],
  );
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...open } = key.export({ format: 'jwk' });
  const publicKey = await webcrypto.subtle.importKey('jwk', open, algorithm, true, ['verify']);
  return { privateKey, publicKey, algorithm };
}

function readPrivateKey(pem: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    // What the parser says could quote the file.
    throw new Error('it is not a private key in PEM, or it has a passphrase');
  }
}

/** PKCS #8, which OpenSSL, Go and Kubernetes read. */
export async function privateKeyPem({ privateKey }: KeyPair): Promise<string> {
  return pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', privateKey));
}

export async function publicKeyPem({ publicKey }: KeyPair): Promise<string> {
  return pem('PUBLIC KEY', await webcrypto.subtle.exportKey('spki', publicKey));
}

function pem(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** Positive, of 127 bits: RFC 5280 requires unique numbers; random ones cannot be guessed either. */
export const serialNumber = (): string => {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
};
