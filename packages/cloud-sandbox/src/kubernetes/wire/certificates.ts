import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { createKeyPair, type KeyPair, privateKeyPem, signingAlgorithm } from './key-pair.ts';

/** PEM of a certificate and of its private key. */
interface Credential {
  readonly certificate: string;
  readonly key: string;
}

/** The cluster's certificate authority. */
export interface CertificateAuthority {
  readonly certificate: string;
  /** For the API server: names and addresses that clients reach it by. */
  issueServer(names: readonly string[]): Promise<Credential>;
  /** For a client: the user and the groups that its certificate says. */
  issueClient(subject: { username: string; groups: readonly string[] }): Promise<Credential>;
  /** Signs a PEM certificate request as it is, with the usages asked for. Rejects when it is not one or its signature is bad. */
  readonly sign: (request: SigningRequest) => Promise<string>;
}

interface SigningRequest {
  readonly request: string;
  readonly usages: readonly string[];
  readonly expirationSeconds: number;
  readonly now: number;
}

const yearMilliseconds = 365 * 86_400_000;
/** A simulation may run faster than the wall's clock, or have begun at another date: validity is wide on both sides. */
const validity = (now: number) => ({
  notBefore: new Date(now - 10 * yearMilliseconds),
  notAfter: new Date(now + 20 * yearMilliseconds),
});

const usage = {
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const;

const alternativeNamesId = '2.5.29.17';

export async function createCertificateAuthority(now: number): Promise<CertificateAuthority> {
  const keys = await createKeyPair();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=kubernetes',
    keys,
    signingAlgorithm,
    serialNumber: serialNumber(),
    ...validity(now),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
    ],
  });
  const issue = async (subject: x509.JsonName, extensions: x509.Extension[]): Promise<Credential> => {
    const own = await createKeyPair();
    const parts = { subject, publicKey: own.publicKey, extensions, ...validity(now) };
    const certificate = await issueFrom({ root, keys }, parts);
    return { certificate: pem(certificate), key: await privateKeyPem(own) };
  };
  return {
    certificate: pem(root),
    issueServer: (names) =>
      issue([{ CN: ['kube-apiserver'] }], [extendedUsage(usage.server), alternativeNames(names)]),
    issueClient: ({ username, groups }) =>
      issue([...groups.map((group) => ({ O: [group] })), { CN: [username] }], [extendedUsage(usage.client)]),
    sign: (request) => signRequest({ root, keys }, request),
  };
}

interface Issuer {
  readonly root: x509.X509Certificate;
  readonly keys: KeyPair;
}

interface Issued {
  readonly subject: x509.JsonName;
  readonly publicKey: x509.PublicKeyType;
  readonly extensions: x509.Extension[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

function issueFrom({ root, keys }: Issuer, issued: Issued): Promise<x509.X509Certificate> {
  return x509.X509CertificateGenerator.create({
    ...issued,
    issuer: root.subject,
    signingKey: keys.privateKey,
    signingAlgorithm,
    serialNumber: serialNumber(),
    extensions: [
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment,
        true,
      ),
      ...issued.extensions,
    ],
  });
}

async function signRequest(
  issuer: Issuer,
  { request, usages, expirationSeconds, now }: SigningRequest,
): Promise<string> {
  const parsed = new x509.Pkcs10CertificateRequest(request);
  if (!(await parsed.verify())) throw new Error('the certificate request is not signed by its own key');
  const names = parsed.getExtension(alternativeNamesId);
  const ids = [
    ...(usages.includes('client auth') ? [usage.client] : []),
    ...(usages.includes('server auth') ? [usage.server] : []),
  ];
  const certificate = await issueFrom(issuer, {
    subject: parsed.subjectName.toJSON(),
    publicKey: parsed.publicKey,
    extensions: [extendedUsage(...ids), ...(names === null ? [] : [names])],
    notBefore: new Date(now - 300_000),
    notAfter: new Date(now + expirationSeconds * 1000),
  });
  return pem(certificate);
}

function extendedUsage(...ids: string[]): x509.ExtendedKeyUsageExtension {
  return new x509.ExtendedKeyUsageExtension(ids);
}

function alternativeNames(names: readonly string[]): x509.SubjectAlternativeNameExtension {
  return new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value })),
  );
}

/** Positive, as serial numbers must be. */
function serialNumber(): string {
  return `4${randomBytes(15).toString('hex').slice(1)}`;
}

function pem(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}
