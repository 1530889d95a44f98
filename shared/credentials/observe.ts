import { type Published, readPublished, sameAddress } from './bootstrap-kubeconfig.ts';
import { identityProblem } from './identity.ts';
import type { StoredParameter } from './parameter-store.ts';
import { withoutSecret } from './redact.ts';
import { inStep, RotationError } from './rotation-error.ts';
import type { PublishedSight, RotationSight } from './rotation-plan.ts';
import type { RotationSettings, RotationWorld } from './rotation-world.ts';

type OurCredential = Extract<Published, { kind: 'ours' }>;

/**
 * Step 1: reads what is published, how old it is, whether the API server still accepts it, and which tokens of ours exist.
 * Changes nothing.
 *
 * @throws RotationError of step `read`, also where the parameter holds something that Drover did not publish.
 */
export async function observe(world: RotationWorld, settings: RotationSettings): Promise<RotationSight> {
  const { parameterName, owner } = settings;
  const stored = await inStep('read', `reading parameter ${parameterName}`, () =>
    world.parameters.read(parameterName),
  );
  const credential = stored && oursOrThrow(stored, settings);
  if (stored !== undefined) measure(stored, world, settings);
  const tokens = await inStep('read', 'listing the bootstrap tokens', () => world.tokens.listTokens(owner));
  const published = stored && credential && (await look(stored, credential, { world, settings }));
  return { published, tokens };
}

function oursOrThrow({ value }: StoredParameter, { owner, parameterName }: RotationSettings): OurCredential {
  const published = readPublished(value, owner);
  if (published.kind === 'ours') return published;
  throw new RotationError(
    'read',
    `parameter ${parameterName} holds something that Drover did not publish and does not overwrite: ${published.why}`,
    { remedy: 'Choose another name in DROVER_BOOTSTRAP_PARAMETER, or delete the parameter.' },
  );
}

function measure({ modifiedAt }: StoredParameter, world: RotationWorld, { terms }: RotationSettings): void {
  const ageSeconds = Math.max(0, Math.floor((world.clock.now() - modifiedAt) / 1000));
  world.measureAge({ ageSeconds, overdueSeconds: Math.max(0, ageSeconds - terms.rotationSeconds) });
}

async function look(
  stored: StoredParameter,
  { token, address }: OurCredential,
  { world, settings }: { readonly world: RotationWorld; readonly settings: RotationSettings },
): Promise<PublishedSight> {
  const sight = { tokenId: token.id, publishedAt: stored.modifiedAt, address };
  // Another address is replaced anyhow, and the old server may be gone: asking it could only fail the run.
  if (!sameAddress(address, settings.address)) return { ...sight, refusal: undefined };
  const identity = await inStep('read', `asking the API server who token ${token.id} is`, () =>
    withoutSecret(token.secret, () => world.tokens.whoAmI({ address, token })),
  );
  return { ...sight, refusal: identityProblem({ identity, tokenId: token.id, groups: settings.groups }) };
}
