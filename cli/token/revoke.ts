import { CliError, exitCodes } from '../exit-codes.ts';
import { endIfInterrupted, type InterruptibleContext, unlessInterrupted } from '../interruption.ts';
import { jsonText } from '../json-text.ts';
import { rotationsOf } from '../rotate/rotations.ts';
import { type KnownToken, knownTokens, type TokenFlags, tokenJson } from './tokens.ts';

export interface RevokeFlags extends TokenFlags {
  readonly rotate?: true;
  readonly yes?: true;
}

/** Deletes a token; one that is published only once another one is. */
export async function revokeToken(
  id: string,
  flags: RevokeFlags,
  context: InterruptibleContext,
): Promise<void> {
  const tokens = await unlessInterrupted(
    knownTokens(rotationsOf(flags, context)),
    context,
    'nothing was revoked',
  );
  const known = tokens.find(({ token }) => token.id === id);
  if (!known) throw unknownToken(id);
  const { rotation, isPublished } = known;
  if (isPublished && !flags.rotate)
    throw new CliError(
      `token ${id} is published in ${rotation.parameterName}: nodes that read it would be locked out. Give --rotate, which publishes another one first`,
      exitCodes.failed,
    );
  if (flags.yes) await carryOut(known, context);
  context.stdout.write(
    flags.json ? jsonText({ ...tokenJson(known), done: flags.yes === true }) : words(known, flags),
  );
}

async function carryOut({ token, rotation, isPublished }: KnownToken, context: InterruptibleContext) {
  if (!isPublished) return await rotation.revoke(token.id);
  await rotation.rotate({ force: true });
  const state = `another token was published in ${rotation.parameterName}, and token ${token.id} is not revoked: drover token revoke ${token.id} --yes`;
  endIfInterrupted(context, state);
  try {
    await rotation.revoke(token.id);
  } catch (error) {
    throw new CliError(state, exitCodes.failed, error);
  }
}

function words({ token, rotation, isPublished }: KnownToken, { yes }: RevokeFlags): string {
  if (yes)
    return `${isPublished ? `published another token in ${rotation.parameterName}, and ` : ''}revoked token ${token.id}\n`;
  const first = isPublished ? `publish another token in ${rotation.parameterName}, and then ` : '';
  return `would ${first}revoke token ${token.id} of ${rotation.role} nodes: give --yes to do it\n`;
}

/** Also for text that is not an id, so that a token with its secret is not printed. */
function unknownToken(id: string): CliError {
  const which = /^[a-z0-9]{6}$/.test(id) ? `token ${id}` : 'token of that id (six characters)';
  return new CliError(
    `Drover's ledger has no ${which}: drover token list shows them. Drover leaves alone what it did not make: kubectl delete secret -n kube-system bootstrap-token-ID`,
    exitCodes.failed,
  );
}
