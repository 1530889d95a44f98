import { createHash } from 'node:crypto';
import { CertificationRequest } from '@peculiar/asn1-csr';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  type AlgorithmIdentifier,
  type Attribute,
  Extensions,
  type GeneralName,
  type Name,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509';
import { messageOf } from '../base/message-of.ts';
import type { CertificateRequest } from './certificate-request.ts';
import { canonicalAddress } from './facts.ts';

/** The content of a PKCS#10 request. */
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

/** The signature does not cover them. NULL or none for RSA (RFC 4055), and none for the others (RFC 5758, RFC 8410). */
function hasUsualParameters({ algorithm, parameters }: AlgorithmIdentifier): boolean {
  if (parameters === undefined || parameters === null) return true;
  return algorithm.startsWith('1.2.840.113549.1.1.') && Buffer.from(parameters).equals(derNull);
}

const attributeIds = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const;

/** Two attributes in either order, each the only one of its relative name. */
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

/** The subject alternative names of a request. */
interface AlternativeNames {
  /** In lower case. */
  readonly dnsNames: readonly string[];
  /** In canonical form. */
  readonly ipAddresses: readonly string[];
  /** Of any other kind: e-mail, URI and rarer ones. */
  readonly others: readonly string[];
}

const none: AlternativeNames = { dnsNames: [], ipAddresses: [], others: [] };

const extensionRequestId = '1.2.840.113549.1.9.14';
const alternativeNamesId = '2.5.29.17';

/** @throws UnreadableRequestError if the request asks for anything besides alternative names. */
function alternativeNamesOf(attributes: readonly Attribute[]): AlternativeNames {
  const [attribute] = attributes;
  if (attribute === undefined) return none;
  const [value] = attribute.values;
  if (attributes.length > 1 || attribute.type !== extensionRequestId || attribute.values.length > 1 || !value)
    throw new UnreadableRequestError('it has attributes besides one request for extensions');
  const extensions = parsed(value, Extensions);
  const [extension] = extensions;
  if (extension === undefined) return none;
  if (extensions.length > 1 || extension.extnID !== alternativeNamesId)
    throw new UnreadableRequestError('it asks for extensions besides alternative names');
  return sorted(parsed(extension.extnValue.buffer, SubjectAlternativeName));
}

function parsed<T extends object>(value: ArrayBuffer, type: new () => T): T {
  const read = AsnConvert.parse(value, type);
  if (!isSameDer(read, new Uint8Array(value)))
    throw new UnreadableRequestError('its extensions are not canonical DER');
  return read;
}

function sorted(names: readonly GeneralName[]): AlternativeNames {
  return names.reduce((all, { dNSName, iPAddress, rfc822Name, uniformResourceIdentifier }) => {
    if (dNSName !== undefined) return { ...all, dnsNames: [...all.dnsNames, dNSName.toLowerCase()] };
    if (iPAddress !== undefined) {
      const address = canonicalAddress(iPAddress);
      if (address === undefined) throw new UnreadableRequestError('it has an address of an odd length');
      return { ...all, ipAddresses: [...all.ipAddresses, address] };
    }
    return {
      ...all,
      others: [...all.others, rfc822Name ?? uniformResourceIdentifier ?? 'a name of a rare kind'],
    };
  }, none);
}

/** A request that Drover does not accept. The message says why, and continues "the request cannot be read: ". */
class UnreadableRequestError extends Error {
  override readonly name = 'UnreadableRequestError';
}

/**
 * Whether a value encodes to the bytes that it was read from. The parser accepts BER, which has several encodings for one value; the API
 * server and the signer read only DER.
 */
const isSameDer = (value: unknown, der: Uint8Array): boolean =>
  Buffer.from(AsnConvert.serialize(value)).equals(der);

const mostKept = 20_000;
const mostBytes = 32 * 1024 * 1024;

/** Reads each request once: the text of a request never changes, and the same ones are listed every minute. */
export function createReadings(): (request: Pick<CertificateRequest, 'uid' | 'pem'>) => RequestReading {
  const kept = new Map<string, RequestReading>();
  let bytes = 0;
  return ({ uid, pem }) => {
    const known = kept.get(uid);
    if (known) return known;
    if (kept.size >= mostKept || bytes + pem.length > mostBytes) {
      kept.clear();
      bytes = 0;
    }
    bytes += pem.length;
    const reading = readRequest(pem);
    kept.set(uid, reading);
    return reading;
  };
}
