import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Random } from '../../simulation/random.ts';

export type SigningAlgorithm = 'RS256' | 'ES384';

/** The issuer of an account's web identity tokens (IAM user guide, "Federating AWS identities to external services"). Off until it is enabled, as in an account. */
export interface TokenIssuer {
  /** Undefined until it has been enabled once; it stays the same from then on. */
  readonly url: () => string | undefined;
  readonly isEnabled: () => boolean;
  /** False: it is enabled already. */
  enable(): boolean;
  /** False: it is disabled already. Tokens that are out stay good. */
  disable(): boolean;
  sign(claims: object, algorithm: SigningAlgorithm): string;
  /** The document that it serves to everybody at a path. `base` is the address at which it is reached; it defaults to its own. */
  document(path: string, base?: string): object | undefined;
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

export function createTokenIssuer(random: Random): TokenIssuer {
  let url: string | undefined;
  let isEnabled = false;
  const keys = new Map<SigningAlgorithm, SigningKey>();
  // Keys take a moment, and most accounts have none.
  const keyOf = (algorithm: SigningAlgorithm): SigningKey => {
    const key = keys.get(algorithm) ?? newKey[algorithm]();
    keys.set(algorithm, key);
    return key;
  };
  return {
    url: () => url,
    isEnabled: () => isEnabled,
    enable: () => {
      if (isEnabled) return false;
      url ??= `https://${random.uuid()}.tokens.sts.global.api.aws`;
      isEnabled = true;
      return true;
    },
    disable: () => {
      if (!isEnabled) return false;
      isEnabled = false;
      return true;
    },
    sign: (claims, algorithm) => {
      const { kid, privateKey } = keyOf(algorithm);
      const text = [{ kid, typ: 'JWT', alg: algorithm }, claims].map(encoded).join('.');
      const digest = algorithm === 'RS256' ? 'sha256' : 'sha384';
      const signature = sign(digest, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    },
    document: (path, base = url) => {
      if (url === undefined) return undefined;
      if (path === '/.well-known/openid-configuration')
        return discovery(url, `${base}/.well-known/jwks.json`);
      return path === '/.well-known/jwks.json'
        ? { keys: algorithms.map((algorithm) => publicKey(keyOf(algorithm), algorithm)) }
        : undefined;
    },
  };
}

const algorithms = ['RS256', 'ES384'] as const;

const newKey: Readonly<Record<SigningAlgorithm, () => SigningKey>> = {
  RS256: () => ({ kid: 'RSA_0', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) }),
  ES384: () => ({ kid: 'EC384_0', ...generateKeyPairSync('ec', { namedCurve: 'P-384' }) }),
};

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** As the issuer of an account answers. */
const discovery = (issuer: string, jwksUri: string) => ({
  issuer,
  jwks_uri: jwksUri,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: algorithms,
  claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'jti', 'https://sts.amazonaws.com/'],
});

/** AWS's own key for RS256 has no `alg`. */
const publicKey = ({ kid, privateKey }: SigningKey, algorithm: SigningAlgorithm): object => ({
  ...createPublicKey(privateKey).export({ format: 'jwk' }),
  kid,
  use: 'sig',
  ...(algorithm === 'ES384' && { alg: algorithm }),
});
