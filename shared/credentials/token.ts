import type { Identity } from './token-cluster.ts';

/** A bootstrap token as a node sends it: `<id>.<secret>`. The id is public, the secret is not. */
export interface Token {
  readonly id: string;
  readonly secret: string;
}

const symbols = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of 36 that a byte can hold. Bytes above it are dropped: they would favour the first symbols. */
const fairBytes = 252;

/** The form that the bootstrap token authenticator accepts (kubernetes, cluster-bootstrap/token/api/types.go). */
const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** Makes a new token. `draw` returns unpredictable bytes; every symbol is equally likely. */
export function makeToken(draw: (size: number) => Uint8Array): Token {
  const text = randomText(22, draw);
  return { id: text.slice(0, 6), secret: text.slice(6) };
}

function randomText(length: number, draw: (size: number) => Uint8Array): string {
  let text = '';
  while (text.length < length)
    for (const byte of draw(length - text.length))
      if (byte < fairBytes) text += symbols.charAt(byte % symbols.length);
  return text;
}

export const formatToken = ({ id, secret }: Token): string => `${id}.${secret}`;

/** Undefined for a text that is not a bootstrap token. */
export function parseToken(text: string): Token | undefined {
  const [, id, secret] = tokenPattern.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Whether the authenticator accepts this group in `auth-extra-groups`. One group that it does not accept invalidates the token. */
export const isBootstrapGroup = (group: string): boolean => groupPattern.test(group);

const usernameOf = (tokenId: string): string => `system:bootstrap:${tokenId}`;

/** The group of every bootstrap token. */
const bootstrappers = 'system:bootstrappers';

/**
 * Why this is not the expected identity of the token; undefined if it is. The API server gives a bootstrap token
 * the user `system:bootstrap:<id>`, the group `system:bootstrappers` and the token's extra groups.
 */
export function identityProblem(options: {
  readonly identity: Identity | undefined;
  readonly tokenId: string;
  readonly groups: readonly string[];
}): string | undefined {
  const { identity, tokenId, groups } = options;
  if (identity === undefined) return 'the API server does not know it';
  if (identity.username !== usernameOf(tokenId))
    return `the API server takes it for ${identity.username}, not for ${usernameOf(tokenId)}`;
  const missing = [bootstrappers, ...groups].filter((group) => !identity.groups.includes(group));
  return missing.length === 0
    ? undefined
    : `the API server does not put it into the group ${missing.join(', ')}`;
}
