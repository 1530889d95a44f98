import type { SendHttp } from '../../src/net/http.ts';
import { sendHttps } from '../https.ts';
import type { ControlPlane } from './control-plane.ts';

/** An API server as somebody in system:masters: any path, over `sendHttp` and the token that go with it. */
export interface ClusterAdmin {
  readonly server: string;
  readonly token: string;
  /** Trusts the certificate of the server. */
  readonly sendHttp: SendHttp;
}

export const adminOf = ({ url, adminToken, files }: ControlPlane): ClusterAdmin => ({
  server: url,
  token: adminToken,
  sendHttp: (request) =>
    sendHttps({ ...request, tls: { certificateAuthority: files.authority.certificate, ...request.tls } }),
});
