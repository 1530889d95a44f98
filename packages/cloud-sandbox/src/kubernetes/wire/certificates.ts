import { randomBytes as bytesOfMachine } from 'node:crypto';
import { issueCertificate, type NewCertificate } from '../../x509/certificate.ts';
import { parseCertificateRequest } from '../../x509/certificate-request.ts';
import { createKey, privateKeyPem } from '../../x509/key.ts';
import { encodeAlternativeNames, encodeSubject } from '../../x509/names.ts';

/** PEM of a certificate and of its private key. */
interface Credential {
  readonly certificate: string;
  readonly key: string;
}

/** The cluster's certificate authority. */
export interface CertificateAuthority {
  readonly certificate: string;
  /** For the API server: names and addresses that clients reach it by. */
  issueServer(names: readonly string[]): Credential;
  /** For a client: the user and the groups that its certificate says. */
  issueClient(subject: { username: string; groups: readonly string[] }): Credential;
  /** Signs a PEM certificate request as it is, with the usages asked for. Throws when it is not one or its signature is bad. */
  readonly sign: (request: SigningRequest) => string;
}

interface SigningRequest {
  readonly request: string;
  readonly usages: readonly string[];
  readonly notBefore: number;
  readonly notAfter: number;
}

const yearMilliseconds = 365 * 86_400_000;
/** A simulation may run faster than the wall's clock, or have begun at another date: validity is wide on both sides. */
const validity = (now: number) => ({
  notBefore: now - 10 * yearMilliseconds,
  notAfter: now + 20 * yearMilliseconds,
});

const authorityUsages = ['cert sign', 'digital signature'];
const leafUsages = ['digital signature', 'key encipherment'];

/**
 * An authority with a key from `randomBytes`. The default is the machine's chance: on real ports, a reader who knows the
 * seed of a simulation must not know its keys.
 */
export function createCertificateAuthority(
  now: number,
  randomBytes: (size: number) => Uint8Array = bytesOfMachine,
): CertificateAuthority {
  const key = createKey(randomBytes);
  const name = encodeSubject({ commonName: 'kubernetes', organizations: [] });
  const issue = (parts: Omit<NewCertificate, 'serialNumber' | 'issuerDer' | 'issuerKey'>): string =>
    issueCertificate({ serialNumber: serialNumber(randomBytes), issuerDer: name, issuerKey: key, ...parts });
  const certificate = issue({
    subjectDer: name,
    publicKey: key.publicKey,
    isAuthority: true,
    usages: authorityUsages,
    ...validity(now),
  });
  const credential = (
    parts: Pick<NewCertificate, 'subjectDer' | 'usages' | 'alternativeNamesDer'>,
  ): Credential => {
    const own = createKey(randomBytes);
    const issued = issue({ publicKey: own.publicKey, ...parts, ...validity(now) });
    return { certificate: issued, key: privateKeyPem(own) };
  };
  return {
    certificate,
    issueServer: (names) =>
      credential({
        subjectDer: encodeSubject({ commonName: 'kube-apiserver', organizations: [] }),
        usages: [...leafUsages, 'server auth'],
        alternativeNamesDer: alternativeNames(names),
      }),
    issueClient: ({ username, groups }) =>
      credential({
        subjectDer: encodeSubject({ commonName: username, organizations: groups }),
        usages: [...leafUsages, 'client auth'],
      }),
    sign: ({ request, ...parts }) => issue({ ...parseCertificateRequest(request), ...parts }),
  };
}

function alternativeNames(names: readonly string[]): Buffer {
  const isAddress = (name: string): boolean => /^[\d.]+$|:/.test(name);
  return encodeAlternativeNames({
    dnsNames: names.filter((name) => !isAddress(name)),
    ipAddresses: names.filter(isAddress),
  });
}

/** Positive, and without a leading zero, as serial numbers must be. */
function serialNumber(randomBytes: (size: number) => Uint8Array): Buffer {
  const bytes = Buffer.from(randomBytes(16));
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes;
}
