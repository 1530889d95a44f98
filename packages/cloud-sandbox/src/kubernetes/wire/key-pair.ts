import { webcrypto } from 'node:crypto';

export const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export interface KeyPair {
  readonly publicKey: webcrypto.CryptoKey;
  readonly privateKey: webcrypto.CryptoKey;
}

/** A fresh P-256 key. Not from the simulation's seed: a reader who knows the seed must not know the keys. */
export async function createKeyPair(): Promise<KeyPair> {
  return await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
}

export async function privateKeyPem({ privateKey }: KeyPair): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', privateKey);
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}
