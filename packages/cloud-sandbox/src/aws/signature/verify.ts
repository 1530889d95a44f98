import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AwsHttpRequest } from '../codec/http.ts';
import { canonicalRequest, sha256Hex } from './canonical.ts';
import type { SignatureClaim } from './credential.ts';

/** Signing keys by secret and scope: a key is good for a day, and four HMACs a call would be most of its cost. */
export interface SignatureVerifier {
  /** Whether the request carries the signature that the holder of the secret would have made. */
  matches(request: AwsHttpRequest, claim: SignatureClaim, secretAccessKey: string): boolean;
}

const hmac = (key: string | Uint8Array, data: string): Buffer =>
  createHmac('sha256', key).update(data).digest();

function deriveKey(secretAccessKey: string, claim: SignatureClaim): Buffer {
  const dateKey = hmac(`AWS4${secretAccessKey}`, claim.date);
  return hmac(hmac(hmac(dateKey, claim.region), claim.service), 'aws4_request');
}

export function createSignatureVerifier(): SignatureVerifier {
  const keys = new Map<string, Buffer>();
  const signingKey = (secretAccessKey: string, claim: SignatureClaim): Buffer => {
    const name = `${secretAccessKey}/${claim.date}/${claim.region}/${claim.service}`;
    const key = keys.get(name) ?? deriveKey(secretAccessKey, claim);
    if (keys.size > 1000) keys.clear();
    keys.set(name, key);
    return key;
  };
  return {
    matches: (request, claim, secretAccessKey) => {
      const scope = `${claim.date}/${claim.region}/${claim.service}/aws4_request`;
      const hashed = sha256Hex(canonicalRequest(request, claim.signedHeaders, claim.service));
      const toSign = ['AWS4-HMAC-SHA256', claim.timestamp, scope, hashed].join('\n');
      const expected = hmac(signingKey(secretAccessKey, claim), toSign).toString('hex');
      return equalText(expected, claim.signature) && claim.timestamp.startsWith(claim.date);
    },
  };
}

const equalText = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

/** The instant of `YYYYMMDDTHHMMSSZ` in milliseconds; NaN if it is not one. */
export function timestampMilliseconds(timestamp: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(timestamp);
  if (match === null) return Number.NaN;
  const [, year, month, day, hour, minute, second] = match;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
