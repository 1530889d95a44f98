import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../simulation/clock.ts';
import type { UserInfo } from '../registry/context.ts';
import type { CertificateAuthenticator } from './authenticator.ts';

/** A client certificate of the cluster's authority: common name is the user, organisations are the groups. */
export function createCertificateAuthenticator(
  clock: Clock,
  certificateAuthority: string | undefined,
): CertificateAuthenticator {
  const known = new Map<string, X509Certificate | undefined>();
  const read = (pem: string): X509Certificate | undefined => {
    if (!known.has(pem)) known.set(pem, verified(pem, certificateAuthority));
    return known.get(pem);
  };
  return (pem) => {
    const certificate = read(pem);
    if (certificate === undefined) return undefined;
    const now = clock.now();
    const valid = Date.parse(certificate.validFrom) <= now && now <= Date.parse(certificate.validTo);
    return valid ? userOf(certificate) : undefined;
  };
}

const clientAuth = '1.3.6.1.5.5.7.3.2';

/** Node calls the extended key usages `keyUsage`. */
const isForClients = ({ keyUsage }: X509Certificate): boolean => keyUsage?.includes(clientAuth) ?? false;

/** Undefined when it is not a client's certificate, or another authority's. */
function verified(pem: string, certificateAuthority: string | undefined): X509Certificate | undefined {
  if (certificateAuthority === undefined) return undefined;
  try {
    const certificate = new X509Certificate(pem);
    const authority = new X509Certificate(certificateAuthority);
    return isForClients(certificate) && certificate.verify(authority.publicKey) ? certificate : undefined;
  } catch {
    // What cannot be read as a certificate proves nothing: the request is answered 401.
    return undefined;
  }
}

function userOf({ subject }: X509Certificate): UserInfo | undefined {
  const fields = subject
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  const username = fields.find(([name]) => name === 'CN')?.[1];
  const groups = fields.flatMap(([name, value]) => (name === 'O' && value !== undefined ? [value] : []));
  return username === undefined ? undefined : { username, groups };
}
