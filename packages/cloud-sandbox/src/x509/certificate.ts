import { createHash } from 'node:crypto';
import { ecdsaWithSha256, signed } from './certificate-request.ts';
import {
  bitString,
  decode,
  encode,
  integer,
  objectIdentifier,
  sequence,
  tag,
  time,
  valuesOf,
} from './der.ts';
import type { Key } from './key.ts';
import { pem } from './pem.ts';

/** A certificate to be issued (RFC 5280). */
export interface NewCertificate {
  readonly serialNumber: Uint8Array;
  readonly issuerDer: Buffer;
  readonly issuerKey: Key;
  readonly subjectDer: Buffer;
  /** SubjectPublicKeyInfo, as DER. */
  readonly publicKey: Buffer;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isAuthority?: boolean;
  /** As certificates.k8s.io names them: `client auth`. */
  readonly usages: readonly string[];
  readonly alternativeNamesDer?: Buffer | undefined;
}

/** The PEM certificate, signed by its issuer. */
export function issueCertificate(certificate: NewCertificate): string {
  const information = sequence(
    encode(0xa0, integer(Buffer.from([2]))),
    integer(certificate.serialNumber),
    sequence(objectIdentifier(ecdsaWithSha256)),
    certificate.issuerDer,
    sequence(time(certificate.notBefore), time(certificate.notAfter)),
    certificate.subjectDer,
    certificate.publicKey,
    encode(0xa3, sequence(...extensionsOf(certificate))),
  );
  return pem('CERTIFICATE', signed(information, certificate.issuerKey));
}

const extensionIds = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

function extensionsOf(certificate: NewCertificate): readonly Buffer[] {
  const { usages, isAuthority = false, issuerKey, publicKey, alternativeNamesDer } = certificate;
  const purposes = usages.flatMap((usage) => extendedUsages.get(usage) ?? []);
  const yes = encode(tag.boolean, Buffer.from([0xff]));
  const identifier = encode(0x80, keyIdentifier(issuerKey.publicKey));
  return [
    ...(flagsOf(usages) === 0 ? [] : [extension(extensionIds.keyUsage, usageBits(flagsOf(usages)), true)]),
    ...(purposes.length === 0
      ? []
      : [extension(extensionIds.extendedKeyUsage, sequence(...purposes.map(objectIdentifier)))]),
    extension(extensionIds.basicConstraints, sequence(...(isAuthority ? [yes] : [])), true),
    extension(extensionIds.subjectKeyIdentifier, encode(tag.octetString, keyIdentifier(publicKey))),
    extension(extensionIds.authorityKeyIdentifier, sequence(identifier)),
    ...(alternativeNamesDer === undefined
      ? []
      : [extension(extensionIds.alternativeNames, alternativeNamesDer)]),
  ];
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [encode(tag.boolean, Buffer.from([0xff]))] : [];
  return sequence(objectIdentifier(id), ...critical, encode(tag.octetString, value));
}

/** RFC 5280 4.2.1.2: the SHA-1 of the key's bits. */
function keyIdentifier(publicKey: Buffer): Buffer {
  const bits = valuesOf(decode(publicKey).content)[1]?.content ?? publicKey;
  return createHash('sha1').update(bits.subarray(1)).digest();
}

const usageFlags: Readonly<Record<string, number>> = {
  signing: 0x80,
  'digital signature': 0x80,
  'content commitment': 0x40,
  'key encipherment': 0x20,
  'data encipherment': 0x10,
  'key agreement': 0x08,
  'cert sign': 0x04,
  'crl sign': 0x02,
};

const flagsOf = (usages: readonly string[]): number =>
  usages.reduce((bits, usage) => bits | (usageFlags[usage] ?? 0), 0);

/** At least one bit is set, as RFC 5280 4.2.1.3 demands: OpenSSL refuses a certificate with an empty extension. */
const usageBits = (flags: number): Buffer => bitString(Buffer.from([flags]), 31 - Math.clz32(flags & -flags));

const extendedUsages: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
]);
