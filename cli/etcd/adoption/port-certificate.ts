import { messageOf } from '../../../shared/base/message-of.ts';
import type { EtcdCredentials, SendGateway } from '../../../shared/etcd-api/http.ts';
import { namesOf } from '../../pki/inspect/names-of.ts';
import type { PortCertificate } from './observation.ts';

/** No certificate has this name (RFC 6761), so that Node refuses each certificate for it, and says what the certificate has. */
const nobody = 'certificate.drover.invalid';

const clientAuth = '1.3.6.1.5.5.7.3.2';

/** What Node puts into an error for a certificate without the name that was asked for (`tls.checkServerIdentity`). */
interface RefusedCertificate {
  readonly subject?: { readonly CN?: string | readonly string[] };
  readonly subjectaltname?: string;
  readonly ext_key_usage?: readonly string[];
}

/**
 * The certificate that a port shows, if an authority that we trust has signed it. Nothing is sent: the handshake ends when the certificate
 * is compared with the name, after its signature has been verified.
 */
export async function readPortCertificate(
  url: string,
  send: SendGateway,
  credentials: EtcdCredentials,
): Promise<PortCertificate> {
  try {
    await send({
      method: 'GET',
      url: `${url}/version`,
      headers: {},
      timeoutMilliseconds: 5000,
      tls: { ...credentials, serverName: nobody },
    });
    return { kind: 'unread', why: `${url} answers for any name` };
  } catch (error) {
    const certificate = certificateIn(error);
    return certificate ? read(certificate) : { kind: 'unread', why: messageOf(error) };
  }
}

function certificateIn(error: unknown): RefusedCertificate | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, cert } = error as { readonly code?: string; readonly cert?: RefusedCertificate };
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' && cert !== undefined ? cert : certificateIn(error.cause);
}

function read({ subject, subjectaltname, ext_key_usage: usages }: RefusedCertificate): PortCertificate {
  const commonName = subject?.CN ?? '';
  return {
    kind: 'read',
    commonName: typeof commonName === 'string' ? commonName : commonName.join(' '),
    names: namesOf({ subjectAltName: subjectaltname }),
    isForClients: usages === undefined || usages.includes(clientAuth),
  };
}
