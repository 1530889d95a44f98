import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

export interface Key {
  readonly privateKey: KeyObject;
  /** SubjectPublicKeyInfo, as DER. */
  readonly publicKey: Buffer;
}

/** A P-256 key from 32 bytes of chance: the same bytes make the same key. */
export function createKey(randomBytes: (size: number) => Uint8Array): Key {
  const scalar = Buffer.from(randomBytes(32));
  // Never zero, and below the order of the curve.
  scalar.writeUInt8(scalar.readUInt8(0) & 0x7f, 0);
  scalar.writeUInt8(scalar.readUInt8(31) | 1, 31);
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(scalar);
  const point = curve.getPublicKey();
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), scalar].map((part) =>
    part.toString('base64url'),
  );
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d };
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}

const publicKeyOf = (privateKey: KeyObject): Buffer =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' });

export const privateKeyPem = ({ privateKey }: Key): string =>
  privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
