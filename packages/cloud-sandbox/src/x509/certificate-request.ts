import { createPublicKey, sign, verify } from 'node:crypto';
import {
  bitString,
  type DerValue,
  decode,
  encode,
  integer,
  objectIdentifier,
  readObjectIdentifier,
  sequence,
  tag,
  valuesOf,
} from './der.ts';
import type { Key } from './key.ts';
import {
  type AlternativeNames,
  encodeAlternativeNames,
  encodeSubject,
  readAlternativeNames,
  readSubject,
  type Subject,
} from './names.ts';
import { pem, readPem } from './pem.ts';

/** What a PKCS #10 request (RFC 2986) asks for. */
export interface CertificateRequest extends AlternativeNames {
  readonly subject: Subject;
  /** The subject as it was encoded. */
  readonly subjectDer: Buffer;
  /** SubjectPublicKeyInfo, as DER. */
  readonly publicKey: Buffer;
  /** The value of the subjectAltName extension, as it was encoded. */
  readonly alternativeNamesDer: Buffer | undefined;
}

const label = 'CERTIFICATE REQUEST';
const extensionRequest = '1.2.840.113549.1.9.14';
const alternativeNames = '2.5.29.17';
const attributesTag = 0xa0;
export const ecdsaWithSha256 = '1.2.840.10045.4.3.2';

/** Of the signature algorithms that Go accepts; null: the key says how. */
const digests: ReadonlyMap<string, string | null> = new Map([
  [ecdsaWithSha256, 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.3.101.112', null],
]);

/** Throws an Error that says what is wrong with the request: its form, or its signature. */
export function parseCertificateRequest(text: string): CertificateRequest {
  const der = readPem(label, text);
  if (der === undefined) throw new SyntaxError('PEM block type must be CERTIFICATE REQUEST');
  const [information, algorithm, signature] = valuesOf(decode(der).content);
  if (information === undefined || algorithm === undefined || signature === undefined)
    throw new SyntaxError('asn1: structure error: sequence truncated');
  const [, subject, publicKey, attributes] = valuesOf(information.content);
  if (subject === undefined || publicKey === undefined)
    throw new SyntaxError('asn1: structure error: sequence truncated');
  if (!isSigned({ information, algorithm, signature, publicKey }))
    throw new Error('x509: ECDSA verification failure');
  const names = attributes === undefined ? undefined : alternativeNamesOf(attributes);
  return {
    subject: readSubject(subject),
    subjectDer: subject.bytes,
    publicKey: publicKey.bytes,
    alternativeNamesDer: names,
    ...(names === undefined ? noNames : readAlternativeNames(decode(names))),
  };
}

const noNames: AlternativeNames = { dnsNames: [], ipAddresses: [], emailAddresses: [], uris: [] };

interface SignedParts {
  readonly information: DerValue;
  readonly algorithm: DerValue;
  readonly signature: DerValue;
  readonly publicKey: DerValue;
}

function isSigned({ information, algorithm, signature, publicKey }: SignedParts): boolean {
  const [id] = valuesOf(algorithm.content);
  const digest = id === undefined ? undefined : digests.get(readObjectIdentifier(id));
  if (digest === undefined) throw new Error('x509: cannot verify signature: algorithm unimplemented');
  const key = createPublicKey({ key: publicKey.bytes, format: 'der', type: 'spki' });
  // The first byte of a BIT STRING counts its unused bits.
  return verify(digest, information.bytes, key, signature.content.subarray(1));
}

function alternativeNamesOf(attributes: DerValue): Buffer | undefined {
  const extensions = valuesOf(attributes.content).flatMap((attribute) => {
    const [id, values] = valuesOf(attribute.content);
    if (id === undefined || values === undefined || readObjectIdentifier(id) !== extensionRequest) return [];
    return valuesOf(values.content).flatMap((list) => valuesOf(list.content));
  });
  const parts = extensions.map(({ content }) => valuesOf(content));
  const found = parts.find(([id]) => id !== undefined && readObjectIdentifier(id) === alternativeNames);
  return found?.at(-1)?.content;
}

/** A PEM request of this subject, signed by its key. */
export function createCertificateRequest(asked: {
  readonly key: Key;
  readonly subject: Subject;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
}): string {
  const { key, subject, dnsNames = [], ipAddresses = [] } = asked;
  const hasNames = dnsNames.length + ipAddresses.length > 0;
  const names = encode(tag.octetString, encodeAlternativeNames({ dnsNames, ipAddresses }));
  const extension = sequence(objectIdentifier(alternativeNames), names);
  const attribute = sequence(objectIdentifier(extensionRequest), encode(tag.set, sequence(extension)));
  const information = sequence(
    integer(Buffer.from([0])),
    encodeSubject(subject),
    key.publicKey,
    encode(attributesTag, ...(hasNames ? [attribute] : [])),
  );
  return pem(label, signed(information, key));
}

/** The bytes with the algorithm and the signature beside them, as certificates and requests have it. */
export function signed(information: Buffer, { privateKey }: Pick<Key, 'privateKey'>): Buffer {
  const signature = sign('sha256', information, privateKey);
  return sequence(information, sequence(objectIdentifier(ecdsaWithSha256)), bitString(signature));
}
