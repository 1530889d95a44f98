import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import type { UserInfo } from '../registry/context.ts';

export type JwtClaims = Readonly<Record<string, unknown>>;

/**
 * An authenticator for the JWTs of one issuer, as an entry of `jwt` in an AuthenticationConfiguration ("kube-apiserver Configuration (v1)"). Its rules are functions here, and not
 * expressions of CEL; the keys are read at each token, where an API server keeps them.
 */
export interface JwtAuthenticator {
  /** Compared with the claim `iss`, letter by letter. */
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** The document of the issuer's `jwks_uri`; undefined while it is away: every token is refused. */
  readonly keys: () => { readonly keys: readonly object[] } | undefined;
  /** The user that the rules make of the claims; undefined where one of them refuses. */
  readonly userOf: (claims: JwtClaims) => UserInfo | undefined;
}

const digests: Readonly<Record<string, string>> = { RS256: 'sha256', ES384: 'sha384' };

/** The user of a JWT. Undefined if its issuer, audience, time or signature is not accepted. */
export function authenticateJwt(
  token: string,
  { issuers, now }: { readonly issuers: ReadonlyMap<string, JwtAuthenticator>; readonly now: number },
): UserInfo | undefined {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  const claims = jsonOf(payload);
  const authenticator = issuers.get(String(claims?.['iss']));
  if (claims === undefined || authenticator === undefined || more.length > 0) return undefined;
  const { alg, kid } = jsonOf(header) ?? {};
  const digest = digests[String(alg)];
  const key = authenticator.keys()?.keys.find((one) => 'kid' in one && one.kid === kid);
  if (digest === undefined || key === undefined) return undefined;
  const isSigned = verify(
    digest,
    Buffer.from(`${header}.${payload}`),
    { key: createPublicKey({ key: key as JsonWebKey, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const isMeant = [claims['aud']].flat().some((one) => authenticator.audiences.includes(String(one)));
  const isInTime = Number(claims['exp']) * 1000 > now && Number(claims['nbf'] ?? 0) * 1000 <= now;
  return isSigned && isMeant && isInTime ? authenticator.userOf(claims) : undefined;
}

function jsonOf(part: string): JwtClaims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as JwtClaims) : undefined;
  } catch {
    return undefined;
  }
}
