import type { SendHttp } from '../../src/net/http.ts';
import { sendHttps } from '../https.ts';
import type { ClusterAccess } from './cluster-access.ts';

/** Access to an API server as a user in system:masters. */
export interface ClusterAdmin {
  readonly server: string;
  readonly token: string;
  /** Trusts the certificate of the server. */
  readonly sendHttp: SendHttp;
}

export const adminOf = ({
  url,
  adminToken,
  files,
}: Pick<ClusterAccess, 'url' | 'adminToken' | 'files'>): ClusterAdmin => ({
  server: url,
  token: adminToken,
  sendHttp: (request) =>
    sendHttps({ ...request, tls: { certificateAuthority: files.authority.certificate, ...request.tls } }),
});
