import 'reflect-metadata';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import { createKeyPair, type KeyPair, privateKeyPem, readKeyPair, serialNumber } from './key-pair.ts';
import type { KeyType } from './key-types.ts';
import type { Authority, Leaf } from './layout.ts';

/** PEM of a certificate and of its private key. */
export interface Credential {
  readonly certificate: string;
  readonly key: string;
}

/** Epoch milliseconds. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** An authority that can sign. */
export interface Issuer {
  readonly certificate: x509.X509Certificate;
  readonly keys: KeyPair;
}

const usageIds = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;
const { digitalSignature, keyEncipherment, keyCertSign, cRLSign } = x509.KeyUsageFlags;

export async function createAuthority(options: {
  readonly authority: Authority;
  readonly keyType: KeyType;
  readonly validity: Validity;
}): Promise<Issuer> {
  const keys = await createKeyPair(options.keyType);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [options.authority.commonName] }],
    keys,
    signingAlgorithm: keys.algorithm,
    serialNumber: serialNumber(),
    ...datesOf(options.validity),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(keyCertSign | cRLSign | digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, keys };
}

/**
 * An authority that was made before.
 *
 * @throws Error that says what is wrong with its files.
 */
export async function readAuthority({ certificate, key }: Credential): Promise<Issuer> {
  return { certificate: new x509.X509Certificate(certificate), keys: await readKeyPair(key) };
}

export async function credentialOf({ certificate, keys }: Issuer): Promise<Credential> {
  return { certificate: pemOf(certificate), key: await privateKeyPem(keys) };
}

/** A certificate with a fresh key. It ends with its issuer at the latest. */
export async function issueLeaf(
  issuer: Issuer,
  options: { readonly leaf: Leaf; readonly keyType: KeyType; readonly validity: Validity },
): Promise<Credential> {
  const { leaf, keyType, validity } = options;
  const keys = await createKeyPair(keyType);
  const notAfter = Math.min(validity.notAfter, issuer.certificate.notAfter.getTime());
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [
      ...leaf.organizations.map((organization) => ({ O: [organization] })),
      { CN: [leaf.commonName] },
    ],
    issuer: issuer.certificate.subjectName.toJSON(),
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: issuer.keys.algorithm,
    serialNumber: serialNumber(),
    ...datesOf({ ...validity, notAfter }),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature | keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension(leaf.usages.map((usage) => usageIds[usage])),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await authorityKeyOf(issuer),
      ...alternativeNames(leaf.names),
    ],
  });
  return { certificate: pemOf(certificate), key: await privateKeyPem(keys) };
}

/** What the authority calls its own key: others than we count it out in other ways. */
async function authorityKeyOf({ certificate }: Issuer): Promise<x509.Extension> {
  const own = certificate.getExtension(x509.SubjectKeyIdentifierExtension);
  return own
    ? new x509.AuthorityKeyIdentifierExtension(own.keyId)
    : await x509.AuthorityKeyIdentifierExtension.create(certificate.publicKey);
}

const alternativeNames = (names: readonly string[]): readonly x509.Extension[] =>
  names.length === 0
    ? []
    : [
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
        ),
      ];

const datesOf = ({ notBefore, notAfter }: Validity) => ({
  notBefore: new Date(notBefore),
  notAfter: new Date(notAfter),
});

const pemOf = (certificate: x509.X509Certificate): string => `${certificate.toString('pem')}\n`;
