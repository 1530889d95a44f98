/** What is checked of a token, in this order; `sts` and `identity` once STS has answered. */
export const tokenChecks = [
  'length',
  'prefix',
  'encoding',
  'url',
  'host',
  'path',
  'parameters',
  'action',
  'version',
  'algorithm',
  'credential',
  'date',
  'expires',
  'signed-headers',
  'signature',
  'security-token',
  'sts',
  'identity',
] as const;

export type TokenCheck = (typeof tokenChecks)[number];

/** Why a token is not accepted. The reason quotes nothing of the token: whoever has a token of the last minutes is its person. */
export interface TokenRefusal {
  readonly kind: 'refused';
  readonly check: TokenCheck;
  readonly reason: string;
}

export const refused = (check: TokenCheck, reason: string): TokenRefusal => ({
  kind: 'refused',
  check,
  reason,
});
