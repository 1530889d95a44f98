import type { RotationContext, RotationSettings } from './rotate.ts';
import { inStep, RotationError } from './rotation-error.ts';
import type { BootstrapToken } from './token-cluster.ts';
import { formatLedger, ledgerParameterOf, readLedger } from './token-ledger.ts';

/**
 * Reads the tokens of the ledger. Without the parameter there are none: Drover has not made any, or made them before it kept a ledger.
 *
 * @throws RotationError of step `read`, also if the parameter holds something that Drover did not write.
 */
export async function readTokens(
  { parameters }: RotationContext,
  { owner, parameterName }: RotationSettings,
): Promise<readonly BootstrapToken[]> {
  const name = ledgerParameterOf(parameterName);
  const stored = await inStep('read', `reading parameter ${name}`, () => parameters.read(name));
  if (stored === undefined) return [];
  const ledger = readLedger(stored.value, owner);
  if (ledger.kind === 'ours') return ledger.tokens;
  throw new RotationError(
    'read',
    `parameter ${name} holds something that Drover did not write and does not overwrite: ${ledger.why}`,
    { remedy: 'Choose another name in DROVER_BOOTSTRAP_PARAMETER, or delete the parameter.' },
  );
}

/**
 * Changes the ledger, and drops what has expired. It reads the ledger first, because another run may have written it.
 * Parameter Store has no conditional write: if two runs write at once, the ledger loses the token of one. Then no run deletes that
 * token, and it expires by itself.
 */
export async function changeLedger(
  context: RotationContext,
  settings: RotationSettings,
  change: (tokens: readonly BootstrapToken[]) => readonly BootstrapToken[],
): Promise<void> {
  const { owner, parameterName, keyId } = settings;
  const now = context.clock.now();
  const tokens = change(await readTokens(context, settings)).filter(({ expiresAt }) => expiresAt > now);
  const name = ledgerParameterOf(parameterName);
  await context.parameters.write({ name, value: formatLedger(owner, tokens), keyId });
}
