import { observe } from './observe.ts';
import { retire } from './retire.ts';
import type { RotationContext, RotationSettings } from './rotation-context.ts';
import { RotationError } from './rotation-error.ts';

/**
 * Deletes a token of the ledger before its overlap is over, as after a leak. It reads what is published just before: a published token is
 * never deleted, because every node that reads it would be locked out.
 *
 * @throws RotationError: of step `decide` where the token is published or not in the ledger; of step `read` or `retire`.
 */
export async function revoke(
  context: RotationContext,
  settings: RotationSettings,
  tokenId: string,
): Promise<void> {
  const { published, tokens } = await observe(context, settings);
  const token = tokens.find(({ id }) => id === tokenId);
  if (token === undefined)
    throw new RotationError('decide', `the ledger has no token ${tokenId}`, {
      remedy: 'It was revoked or has expired meanwhile.',
    });
  if (published?.tokenId === tokenId)
    throw new RotationError(
      'decide',
      `token ${tokenId} is published in parameter ${settings.parameterName}`,
      {
        remedy: 'Publish another one first: drover rotate, or drover token revoke with --rotate.',
      },
    );
  await retire(context, settings, [token]);
}
