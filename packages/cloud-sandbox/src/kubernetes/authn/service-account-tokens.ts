import type { Context, UserInfo } from '../registry/context.ts';

/** The default audience of a token: the API server. */
export const issuer = 'https://kubernetes.default.svc';

interface Claim {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly expiresAt: number;
}

/** Tokens of ServiceAccounts, as TokenRequest issues them. They are opaque here, not signed JWTs. */
export interface ServiceAccountTokens {
  issue(account: Omit<Claim, 'expiresAt'>, expirationSeconds: number): { token: string; expiresAt: number };
  authenticate(token: string): UserInfo | undefined;
}

const issuers = new WeakMap<Context['store'], ServiceAccountTokens>();

/** The one issuer of a cluster. */
export function serviceAccountTokensOf(context: Context): ServiceAccountTokens {
  const known = issuers.get(context.store) ?? createTokens(context);
  issuers.set(context.store, known);
  return known;
}

function createTokens({ store, clock, random }: Context): ServiceAccountTokens {
  const claims = new Map<string, Claim>();
  return {
    issue: (account, expirationSeconds) => {
      const token = `sa-${random.secretHex(48)}`;
      const expiresAt = clock.now() + expirationSeconds * 1000;
      claims.set(token, { ...account, expiresAt });
      return { token, expiresAt };
    },
    authenticate: (token) => {
      const claim = claims.get(token);
      if (claim === undefined || claim.expiresAt < clock.now()) return undefined;
      if (!claim.audiences.includes(issuer)) return undefined;
      const account = store.of('serviceaccounts').get(claim.namespace, claim.name);
      if (account?.metadata.uid !== claim.uid) return undefined;
      const groups = ['system:serviceaccounts', `system:serviceaccounts:${claim.namespace}`];
      return { username: `system:serviceaccount:${claim.namespace}:${claim.name}`, uid: claim.uid, groups };
    },
  };
}
