import { messageOf } from '../base/message-of.ts';
import { changeLedger } from './keep-ledger.ts';
import { observe } from './observe.ts';
import type { RotationContext, RotationSettings } from './rotate.ts';
import { inStep, RotationError } from './rotation-error.ts';
import type { BootstrapToken } from './token-cluster.ts';

/** Deletes tokens, and then removes them from the ledger. A token that cannot be deleted does not stop the deletion of others. */
export async function retire(
  context: RotationContext,
  settings: RotationSettings,
  tokens: readonly BootstrapToken[],
): Promise<string[]> {
  const deleted = await Promise.allSettled(
    tokens.map((token) =>
      inStep('retire', `deleting token ${token.id}`, () => context.tokens.deleteToken(token)),
    ),
  );
  const retiredIds = tokens.flatMap((token, index) =>
    deleted[index]?.status === 'fulfilled' ? [token.id] : [],
  );
  const forget = () =>
    inStep('retire', `removing ${retiredIds.join(', ')} from the ledger`, () =>
      changeLedger(context, settings, (known) => known.filter(({ id }) => !retiredIds.includes(id))),
    );
  const forgotten = await Promise.allSettled(retiredIds.length > 0 ? [forget()] : []);
  const failures = [...deleted, ...forgotten].flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  if (failures.length > 1)
    throw new RotationError('retire', failures.map(messageOf).join(' '), {
      cause: new AggregateError(failures),
    });
  if (failures.length === 1) throw failures[0];
  return retiredIds;
}

/**
 * Deletes a token of the ledger before its overlap is over, as after a leak. It reads what is published just before: a published token is
 * never deleted, because every node that reads it would be locked out.
 *
 * @throws RotationError: of step `decide` if the token is published or not in the ledger; of step `read` or `retire`.
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
