import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** PEM. */
export interface TestCredential {
  readonly certificate: string;
  readonly key: string;
}

export interface TestCertificate {
  readonly commonName: string;
  /** Kubernetes takes them as groups. */
  readonly organizations?: readonly string[];
  /** DNS names and addresses. */
  readonly names?: readonly string[];
  readonly validFrom?: Date;
  readonly validUntil?: Date;
}

/** A small certificate authority for members and their clients, created for one run. */
export interface TestAuthority {
  readonly certificate: string;
  /** PEM, for a program that signs certificates itself, such as a controller manager. */
  readonly key: string;
  /** For both usages, server and client, as members need it. */
  issue(certificate: TestCertificate): Promise<TestCredential>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const usages = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];
const hour = 3_600_000;

export async function createTestAuthority(
  commonName = 'etcd test',
  now = Date.now(),
): Promise<TestAuthority> {
  const keys = await keyPair();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    keys,
    signingAlgorithm: algorithm,
    serialNumber: serialNumber(),
    notBefore: new Date(now - 48 * hour),
    notAfter: new Date(now + 48 * hour),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
    ],
  });
  return {
    certificate: root.toString('pem'),
    key: await privateKeyPem(keys),
    issue: async ({ commonName: name, organizations = [], names = [], validFrom, validUntil }) => {
      const own = await keyPair();
      const certificate = await x509.X509CertificateGenerator.create({
        subject: [...organizations.map((one) => ({ O: [one] })), { CN: [name] }],
        issuer: root.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        serialNumber: serialNumber(),
        notBefore: validFrom ?? new Date(now - hour),
        notAfter: validUntil ?? new Date(now + 24 * hour),
        extensions: [
          new x509.ExtendedKeyUsageExtension(usages),
          ...(names.length === 0 ? [] : [alternativeNames(names)]),
        ],
      });
      return { certificate: certificate.toString('pem'), key: await privateKeyPem(own) };
    },
  };
}

const keyPair = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

const privateKeyPem = async ({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');

const alternativeNames = (names: readonly string[]): x509.SubjectAlternativeNameExtension =>
  new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value })),
  );

/** Positive, as serial numbers must be. */
const serialNumber = (): string => `4${randomBytes(15).toString('hex').slice(1)}`;
