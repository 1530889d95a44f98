import { type Published, readPublished, sameAddress } from './bootstrap-kubeconfig.ts';
import { readTokens } from './keep-ledger.ts';
import type { StoredParameter } from './parameter-store.ts';
import { withoutSecret } from './redact.ts';
import type { RotationContext, RotationSettings } from './rotate.ts';
import { inStep, RotationError } from './rotation-error.ts';
import type { PublishedCredential, RotationObservation } from './rotation-plan.ts';
import { identityProblem } from './token.ts';

type OurCredential = Extract<Published, { kind: 'ours' }>;

/**
 * Reads what is published, how old it is, whether the API server still accepts it, and which tokens the ledger has.
 * Changes nothing.
 *
 * @throws RotationError of step `read`, also if a parameter holds something that Drover did not write.
 */
export async function observe(
  context: RotationContext,
  settings: RotationSettings,
): Promise<RotationObservation> {
  const { parameterName } = settings;
  const stored = await inStep('read', `reading parameter ${parameterName}`, () =>
    context.parameters.read(parameterName),
  );
  const credential = stored && ownCredential(stored, settings);
  if (stored !== undefined) recordPublishedAge(stored, context, settings);
  const tokens = await readTokens(context, settings);
  const published =
    stored && credential && (await observePublished(stored, credential, { context, settings }));
  return { published, tokens };
}

function ownCredential(
  { value }: StoredParameter,
  { owner, parameterName }: RotationSettings,
): OurCredential {
  const published = readPublished(value, owner);
  if (published.kind === 'ours') return published;
  throw new RotationError(
    'read',
    `parameter ${parameterName} holds something that Drover did not publish and does not overwrite: ${published.why}`,
    {
      remedy:
        'Check the names of the cluster and of the parameter. To use this parameter, delete it first; else name another one in DROVER_BOOTSTRAP_PARAMETER.',
    },
  );
}

function recordPublishedAge(
  { modifiedAt }: StoredParameter,
  context: RotationContext,
  { timing }: RotationSettings,
): void {
  const ageSeconds = Math.max(0, Math.floor((context.clock.now() - modifiedAt) / 1000));
  context.recordAge({ ageSeconds, overdueSeconds: Math.max(0, ageSeconds - timing.rotationSeconds) });
}

async function observePublished(
  stored: StoredParameter,
  { token, address }: OurCredential,
  { context, settings }: { readonly context: RotationContext; readonly settings: RotationSettings },
): Promise<PublishedCredential> {
  const observation = { tokenId: token.id, publishedAt: stored.modifiedAt, address };
  // A credential for another address is replaced in any case. Its server may be gone, and asking it could fail the run.
  if (!sameAddress(address, settings.address)) return { ...observation, refusal: undefined };
  const identity = await inStep('read', `asking the API server for the identity of token ${token.id}`, () =>
    withoutSecret(token.secret, () => context.tokens.whoAmI({ address, token })),
  );
  return {
    ...observation,
    refusal: identityProblem({ identity, tokenId: token.id, groups: settings.groups }),
  };
}
