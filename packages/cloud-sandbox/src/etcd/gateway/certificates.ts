import { X509Certificate } from 'node:crypto';
import type { EtcdCredentials } from '../gateway-request.ts';

/** The certificates of the members; without them clients need none either. */
export interface EtcdCertificates {
  /** PEM of the one authority that members and clients have. */
  readonly authority: string;
  /** The certificate that the member at an address shows. */
  readonly serverAt: (address: string) => ServerCertificate;
}

export interface ServerCertificate {
  readonly names: readonly string[];
  /** Epoch milliseconds. */
  readonly validUntil: number;
}

export interface Handshake {
  readonly address: string;
  readonly now: number;
  readonly tls: (EtcdCredentials & { readonly serverName: string }) | undefined;
}

const fault = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** A wildcard stands for one whole label (RFC 6125, 6.4.3). */
const covers = (name: string, asked: string): boolean =>
  name === asked || (name.startsWith('*.') && name.slice(1) === asked.slice(asked.indexOf('.')));

/** The error that Node gives if the two sides do not agree; undefined if they do. */
export function handshakeFault(
  { authority, serverAt }: EtcdCertificates,
  { address, now, tls }: Handshake,
): Error | undefined {
  if (tls === undefined) return fault('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'certificate required');
  const { names, validUntil } = serverAt(address);
  const root = new X509Certificate(authority);
  if (new X509Certificate(tls.certificateAuthority).fingerprint256 !== root.fingerprint256)
    return fault('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate');
  if (now > validUntil) return fault('CERT_HAS_EXPIRED', 'certificate has expired');
  if (!names.some((name) => covers(name, tls.serverName)))
    return fault('ERR_TLS_CERT_ALTNAME_INVALID', `${tls.serverName} is not in the cert's altnames`);
  const client = new X509Certificate(tls.clientCertificate);
  if (!client.checkIssued(root) || !client.verify(root.publicKey))
    return fault('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'tlsv1 alert unknown ca');
  if (now > Date.parse(client.validTo) || now < Date.parse(client.validFrom))
    return fault('ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'ssl/tls alert certificate expired');
  return undefined;
}
