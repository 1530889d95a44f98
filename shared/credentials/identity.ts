import { bootstrappers, usernameOf } from './token.ts';
import type { Identity } from './token-cluster.ts';

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
