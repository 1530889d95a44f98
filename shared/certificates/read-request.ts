import { createHash } from 'node:crypto';
import { CertificationRequest } from '@peculiar/asn1-csr';
import { AsnConvert } from '@peculiar/asn1-schema';
import type { AlgorithmIdentifier, Name } from '@peculiar/asn1-x509';
import { messageOf } from '../base/message-of.ts';
import { type AlternativeNames, alternativeNamesOf } from './alternative-names.ts';
import { isSameDer, UnreadableRequestError } from './strict-der.ts';

/** What a PKCS#10 request says. */
export interface ReadRequest {
  readonly commonName: string;
  readonly organization: string;
  readonly names: AlternativeNames;
  /** SHA-256 of the public key, in hex: a kubelet that asks again with the same key has the same one. */
  readonly keyFingerprint: string;
  /** The SubjectPublicKeyInfo, in DER. */
  readonly publicKey: Uint8Array;
  /** What the signature covers, in DER. */
  readonly signedBytes: Uint8Array;
  readonly signature: Uint8Array;
  /** The object identifier of the signature algorithm. */
  readonly signatureAlgorithm: string;
}

export type RequestReading =
  | { readonly kind: 'read'; readonly request: ReadRequest }
  | { readonly kind: 'unreadable'; readonly problem: string };

export const longestRequestBytes = 64 * 1024;

/**
 * Reads a PEM request strictly: one block, canonical DER, a subject of one organization and one common name, and no attribute but the
 * alternative names. It never throws.
 */
export function readRequest(pem: string): RequestReading {
  try {
    return { kind: 'read', request: read(derOf(pem)) };
  } catch (error) {
    const problem =
      error instanceof UnreadableRequestError
        ? error.message
        : `it is not a PKCS#10 request: ${messageOf(error)}`;
    return { kind: 'unreadable', problem: problem.slice(0, longestProblem) };
  }
}

const longestProblem = 200;

const onlyBlock =
  /^\s*-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE REQUEST-----\s*$/;

function derOf(pem: string): Uint8Array {
  if (pem.length > longestRequestBytes)
    throw new UnreadableRequestError(`it is longer than ${longestRequestBytes} bytes`);
  const base64 = onlyBlock.exec(pem)?.[1]?.replaceAll(/[\r\n]/g, '');
  if (base64 === undefined)
    throw new UnreadableRequestError('it is not exactly one PEM block CERTIFICATE REQUEST');
  const der = Buffer.from(base64, 'base64');
  if (der.toString('base64') !== base64) throw new UnreadableRequestError('its base64 is malformed');
  return new Uint8Array(der);
}

function read(der: Uint8Array): ReadRequest {
  const parsed = AsnConvert.parse(der, CertificationRequest);
  if (!isSameDer(parsed, der)) throw new UnreadableRequestError('its encoding is not canonical DER');
  const { certificationRequestInfo: info, signatureAlgorithm, signature } = parsed;
  if (info.version !== 0) throw new UnreadableRequestError('its version is not 1');
  if (!hasUsualParameters(signatureAlgorithm))
    throw new UnreadableRequestError('its signature algorithm has unusual parameters');
  const signedBytes = new Uint8Array(parsed.certificationRequestInfoRaw ?? AsnConvert.serialize(info));
  if (!isSameDer(info, signedBytes)) throw new UnreadableRequestError('its encoding is not canonical DER');
  const publicKey = new Uint8Array(AsnConvert.serialize(info.subjectPKInfo));
  return {
    ...subjectOf(info.subject),
    names: alternativeNamesOf(info.attributes ?? []),
    keyFingerprint: createHash('sha256').update(publicKey).digest('hex'),
    publicKey,
    signedBytes,
    signature: new Uint8Array(signature),
    signatureAlgorithm: signatureAlgorithm.algorithm,
  };
}

const derNull = Buffer.from([5, 0]);

/** They are outside of what the signature covers. NULL or none for RSA (RFC 4055), and none for the others (RFC 5758, RFC 8410). */
function hasUsualParameters({ algorithm, parameters }: AlgorithmIdentifier): boolean {
  if (parameters === undefined || parameters === null) return true;
  return algorithm.startsWith('1.2.840.113549.1.1.') && Buffer.from(parameters).equals(derNull);
}

const attributeIds = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const;

/** Two attributes, each alone in its relative name, in either order. */
function subjectOf(subject: Name): Pick<ReadRequest, 'commonName' | 'organization'> {
  const attributes = subject.map((part) => {
    const [attribute] = part;
    if (part.length !== 1 || attribute === undefined)
      throw new UnreadableRequestError('its subject has a name of several values');
    const { utf8String, printableString } = attribute.value;
    const value = utf8String ?? printableString;
    if (value === undefined) throw new UnreadableRequestError('its subject has a text of an unusual type');
    return [attribute.type, value] as const;
  });
  const values = new Map(attributes);
  const commonName = values.get(attributeIds.commonName);
  const organization = values.get(attributeIds.organization);
  if (attributes.length !== 2 || commonName === undefined || organization === undefined)
    throw new UnreadableRequestError('its subject is not one organization and one common name');
  return { commonName, organization };
}
