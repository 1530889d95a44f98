import { messageOf } from '../base/message-of.ts';
import { changeLedger } from './keep-ledger.ts';
import type { RotationContext, RotationSettings } from './rotation-context.ts';
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
