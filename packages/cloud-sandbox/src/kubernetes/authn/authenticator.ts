import type { ApiRequest } from '../api/request.ts';
import type { UserInfo } from '../registry/context.ts';

/** The user of a bearer token. Undefined if the token is of another kind, or not valid. */
export type TokenAuthenticator = (token: string) => Promise<UserInfo | undefined> | UserInfo | undefined;

export type CertificateAuthenticator = (certificate: string) => UserInfo | undefined;

export interface Authenticator {
  /** Undefined means 401. A request without credentials, or with a header that carries no token, is system:anonymous. */
  authenticate(request: ApiRequest): Promise<UserInfo | undefined>;
  /** As TokenReview asks. */
  authenticateToken(token: string): Promise<UserInfo | undefined>;
}

const anonymous: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

interface Authenticators {
  readonly certificate: CertificateAuthenticator;
  readonly tokens: readonly TokenAuthenticator[];
}

/** As the real chain: a client certificate first, then each kind of token; bad credentials are not anonymous but refused. */
export function createAuthenticator({ certificate, tokens }: Authenticators): Authenticator {
  const authenticateToken = async (token: string): Promise<UserInfo | undefined> => {
    for (const authenticate of tokens) {
      const user = await authenticate(token);
      if (user !== undefined) return authenticated(user);
    }
    return undefined;
  };
  return {
    authenticateToken,
    authenticate: async ({ user, clientCertificate, headers }) => {
      if (user !== undefined) return authenticated(user);
      const token = /^Bearer\s+(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
      const shown = clientCertificate === undefined ? undefined : certificate(clientCertificate);
      if (shown !== undefined) return authenticated(shown);
      if (token !== undefined) return authenticateToken(token);
      return clientCertificate === undefined ? anonymous : undefined;
    },
  };
}

function authenticated(user: UserInfo): UserInfo {
  const group = 'system:authenticated';
  return user.groups.includes(group) ? user : { ...user, groups: [...user.groups, group] };
}
