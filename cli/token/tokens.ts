import type { TokenVerdict } from '../../shared/credentials/rotation-plan.ts';
import type { Rotation } from '../../shared/runtime/rotations.ts';
import type { RotationFlags } from '../rotate/rotations.ts';

export interface TokenFlags extends RotationFlags {
  readonly json?: true;
}

/** A token of the ledger, and what the next rotation would do with it. */
export interface KnownToken extends TokenVerdict {
  readonly rotation: Rotation;
  readonly isPublished: boolean;
}

/** The tokens of each role, as the ledger has them. */
export async function knownTokens(rotations: readonly Rotation[]): Promise<readonly KnownToken[]> {
  const found: KnownToken[] = [];
  for (const rotation of rotations) {
    const { retain, retire, publishedId } = await rotation.preview();
    for (const verdict of [...retain, ...retire])
      found.push({ ...verdict, rotation, isPublished: verdict.token.id === publishedId });
  }
  return found;
}

/** For programs; it has no secret. */
export const tokenJson = ({ rotation, token, isPublished, reason }: KnownToken) => ({
  role: rotation.role,
  id: token.id,
  published: isPublished,
  createdAt: new Date(token.createdAt).toISOString(),
  expiresAt: new Date(token.expiresAt).toISOString(),
  groups: token.groups,
  reason,
});
