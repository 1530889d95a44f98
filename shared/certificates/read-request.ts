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

/** A kubelet's request has 0.5 to 4 KB: at most 3 KB of key and signature (RSA 8192), and its names. */
export const longestRequestBytes = 16 * 1024;

/** The text of a request. Most of them are never parsed: the name shows whether that is needed. */
export interface RequestText {
  /** The common name of the subject; undefined if the text is refused or has none. */
  readonly commonName: string | undefined;
  /** Parses the text at the first call. */
  readonly read: () => RequestReading;
}

/**
 * Reads a PEM request strictly: one block, canonical DER, a subject of one organization and one common name, and no attribute but the
 * alternative names. It never throws.
 */
export const readRequest = (pem: string): RequestReading => requestText(pem).read();

/** Scans a PEM request, which costs microseconds whatever its text. It never throws. */
export function requestText(pem: string): RequestText {
  try {
    const der = derOf(pem);
    const scan = scanRequest(der);
    if (scan.kind === 'refused') throw new UnreadableRequestError(scan.problem);
    let parsed: RequestReading | undefined;
    return { commonName: scan.commonName, read: () => (parsed ??= reading(der)) };
  } catch (error) {
    const refused = unreadable(error);
    return { commonName: undefined, read: () => refused };
  }
}

function reading(der: Uint8Array): RequestReading {
  try {
    return { kind: 'read', request: read(der) };
  } catch (error) {
    return unreadable(error);
  }
}

function unreadable(error: unknown): RequestReading {
  const problem =
    error instanceof UnreadableRequestError
      ? error.message
      : `it is not a PKCS#10 request: ${messageOf(error)}`;
  return { kind: 'unreadable', problem: problem.slice(0, longestProblem) };
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

/** What one walk over the DER of a request finds. The walk takes microseconds, and a full parse 0.04 ms for each name. */
type RequestScan =
  | { readonly kind: 'scanned'; readonly commonName: string | undefined }
  | { readonly kind: 'refused'; readonly problem: string };

/** A kubelet's request has some twenty, and one for each name and address of the node. */
export const mostElements = 250;
/** A name in the extensions of a request is nine levels deep. */
const mostLevels = 16;

const tags = { bitString: 0x03, octetString: 0x04, objectIdentifier: 0x06 } as const;
const isConstructed = (tag: number): boolean => (tag & 0x20) !== 0;
const commonNameId = '550403';

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly end: number;
}

/**
 * Walks over a DER text before it is parsed, to refuse what is too expensive to parse and to find the common name of its subject: the first
 * attribute of that type.
 */
export function scanRequest(der: Uint8Array): RequestScan {
  let elements = 0;
  let isNext = false;
  let commonName: string | undefined;

  /** @returns the problem. Contents of strings may be anything: keys and signatures are. */
  function walk(bytes: Uint8Array, level: number, isInString: boolean): string | undefined {
    if (level > mostLevels) return `its DER has more than ${mostLevels} levels`;
    for (let offset = 0; offset < bytes.length; ) {
      const element = elementAt(bytes, offset);
      if (element === undefined) return isInString ? undefined : 'its encoding is not DER';
      elements += 1;
      if (elements > mostElements) return `it has more than ${mostElements} elements`;
      const problem = enter(element, level, isInString);
      if (problem !== undefined) return problem;
      offset = element.end;
    }
    return undefined;
  }

  function enter({ tag, content }: Element, level: number, isInString: boolean): string | undefined {
    if (isConstructed(tag)) return walk(content, level + 1, isInString);
    // The parser looks for DER in strings, too.
    if (tag === tags.octetString) return walk(content, level + 1, true);
    if (tag === tags.bitString) return walk(content.subarray(1), level + 1, true);
    if (isNext) commonName ??= Buffer.from(content).toString('utf8');
    isNext = tag === tags.objectIdentifier && Buffer.from(content).toString('hex') === commonNameId;
    return undefined;
  }

  const problem = walk(der, 1, false);
  return problem === undefined ? { kind: 'scanned', commonName } : { kind: 'refused', problem };
}

/** The element at an offset; undefined if there is none that ends within the bytes. Lengths are definite, tags of one byte. */
function elementAt(bytes: Uint8Array, offset: number): Element | undefined {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || lengthBytes > 3) return undefined;
  const begin = offset + 2 + lengthBytes;
  const digits = bytes.subarray(offset + 2, begin);
  const length = lengthBytes === 0 ? first : digits.reduce((sum, digit) => sum * 256 + digit, 0);
  const end = begin + length;
  return digits.length === lengthBytes && end <= bytes.length
    ? { tag, content: bytes.subarray(begin, end), end }
    : undefined;
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
export function createReadings(): (request: Pick<CertificateRequest, 'uid' | 'pem'>) => RequestText {
  const kept = new Map<string, RequestText>();
  let bytes = 0;
  return ({ uid, pem }) => {
    const known = kept.get(uid);
    if (known) return known;
    if (kept.size >= mostKept || bytes + pem.length > mostBytes) {
      kept.clear();
      bytes = 0;
    }
    bytes += pem.length;
    const text = requestText(pem);
    kept.set(uid, text);
    return text;
  };
}
