import { createPublicKey, verify } from 'node:crypto';
import { type Der, decode, encode, isConstructed } from './der.ts';

const tags = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  id: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  sequence: 0x30,
  set: 0x31,
  attributes: 0xa0,
  dnsName: 0x82,
  ipAddress: 0x87,
} as const;

/** The contents of object identifiers. */
export const ids = {
  commonName: '550403',
  organization: '55040a',
  extensionRequest: '2a864886f70d01090e',
  alternativeNames: '551d11',
  ed25519: '2b6570',
} as const;

export interface Allowed {
  /** `system:node:NAME`. */
  readonly commonName: string;
  /** In lower case. */
  readonly dnsNames: readonly string[];
  /** In hex. */
  readonly addresses: readonly string[];
}

/**
 * Whether the strict rules of docs/certificates.md let a request under an Ed25519 key pass. It shares no code with what it judges: it reads
 * the bytes from the outside to the inside, and knows one encoding for each value.
 *
 * @param signer what the request is for: only a serving certificate has alternative names.
 */
export function mayPass(der: Uint8Array, signer: 'client' | 'serving', allowed: Allowed): boolean {
  const [info, algorithm, signature] = partsOf(decode(der), tags.sequence, 3);
  const [version, subject, key, attributes] = partsOf(info, tags.sequence, 4);
  if (!info || !signature || !key || !isValue(version, tags.integer, '00')) return false;
  const [id] = partsOf(algorithm, tags.sequence, 1);
  const names = namesIn(attributes);
  return (
    isValue(id, tags.id, ids.ed25519) &&
    isSubject(subject, allowed.commonName) &&
    isSignedBy(key, encode(info), signature) &&
    names !== undefined &&
    (signer === 'serving' ? names.length > 0 : names.length === 0) &&
    names.every((name) => isAllowed(name, allowed))
  );
}

/** Empty for any other value. */
function partsOf(der: Der | undefined, tag: number, count: number): readonly Der[] {
  return der?.tag === tag && isConstructed(der) && der.content.length === count ? der.content : [];
}

const hexOf = (der: Der | undefined): string | undefined =>
  der && !isConstructed(der) ? Buffer.from(der.content as Uint8Array).toString('hex') : undefined;

const isValue = (der: Der | undefined, tag: number, hex: string): boolean =>
  der?.tag === tag && hexOf(der) === hex;

function isSubject(subject: Der | undefined, commonName: string): boolean {
  const wanted = new Map<string | undefined, string>([
    [ids.commonName, commonName],
    [ids.organization, 'system:nodes'],
  ]);
  for (const part of partsOf(subject, tags.sequence, 2)) {
    const [id, text] = partsOf(partsOf(part, tags.set, 1)[0], tags.sequence, 2);
    const isText = text?.tag === tags.utf8 || text?.tag === tags.printable;
    const value = id?.tag === tags.id ? wanted.get(hexOf(id)) : undefined;
    if (!isText || value === undefined || hexOf(text) !== Buffer.from(value).toString('hex')) return false;
    wanted.delete(hexOf(id));
  }
  return wanted.size === 0;
}

function isSignedBy(key: Der, bytes: Buffer, signature: Der): boolean {
  if (signature.tag !== tags.bits || !hexOf(signature)?.startsWith('00')) return false;
  try {
    const publicKey = createPublicKey({ key: encode(key), format: 'der', type: 'spki' });
    const isCanonical = publicKey.export({ format: 'der', type: 'spki' }).equals(encode(key));
    return isCanonical && verify(null, bytes, publicKey, (signature.content as Uint8Array).subarray(1));
  } catch {
    // OpenSSL throws on a key that it cannot read.
    return false;
  }
}

/** Undefined where the request asks for anything besides alternative names. */
function namesIn(attributes: Der | undefined): readonly Der[] | undefined {
  if (attributes?.tag !== tags.attributes || !isConstructed(attributes)) return undefined;
  if (attributes.content.length === 0) return [];
  const [attribute] = partsOf(attributes, tags.attributes, 1);
  const [id, values] = partsOf(attribute, tags.sequence, 2);
  const [extensions] = partsOf(values, tags.set, 1);
  if (!isValue(id, tags.id, ids.extensionRequest) || !extensions) return undefined;
  // An empty list asks for nothing.
  if (encode(extensions).equals(Buffer.of(tags.sequence, 0))) return [];
  const [extension] = partsOf(extensions, tags.sequence, 1);
  if (extension?.tag !== tags.sequence || !isConstructed(extension)) return undefined;
  const [kind, ...rest] = extension.content;
  const value = rest.at(-1);
  const isCritical = rest.length === 2 && isValue(rest[0], 0x01, 'ff');
  if (!isValue(kind, tags.id, ids.alternativeNames) || !(rest.length === 1 || isCritical)) return undefined;
  if (value?.tag !== tags.octets) return undefined;
  const names = decode(value.content as Uint8Array);
  return names?.tag === tags.sequence && isConstructed(names) ? names.content : undefined;
}

function isAllowed(name: Der, { dnsNames, addresses }: Allowed): boolean {
  const hex = hexOf(name) ?? '';
  if (name.tag === tags.ipAddress) return addresses.includes(hex);
  const isText = name.tag === tags.dnsName && dnsNames.length > 0;
  return isText && dnsNames.includes(asciiLowerCase(Buffer.from(hex, 'hex')));
}

/** Other bytes stay as they are, so that they equal no name. */
const asciiLowerCase = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
