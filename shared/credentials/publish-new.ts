import { messageOf } from '../base/message-of.ts';
import { formatBootstrapKubeconfig } from './bootstrap-kubeconfig.ts';
import { identityProblem } from './identity.ts';
import { withoutSecret } from './redact.ts';
import { inStep, RotationError } from './rotation-error.ts';
import { freshSeconds, validitySeconds } from './rotation-terms.ts';
import type { RotationSettings, RotationWorld } from './rotation-world.ts';
import { makeToken, type Token } from './token.ts';
import type { BootstrapToken } from './token-cluster.ts';

/** What was published: never the secret. */
export interface NewCredential {
  readonly tokenId: string;
  readonly expiresAt: number;
  readonly parameterVersion: number;
}

interface Making {
  readonly world: RotationWorld;
  readonly settings: RotationSettings;
  readonly token: Token;
  readonly startedAt: number;
}

/** An API server knows a new token once its watch has seen the Secret, which takes milliseconds; asking takes as long. */
const proofAttempts = 10;

/**
 * Steps 3 to 5: makes a token, proves it with the API server and publishes it. Until the parameter is written, what was
 * published before stays in force. A token that was not accepted is deleted. One whose publication failed is left alone,
 * for the write may have happened although its answer was lost; if it did not, the token is retired after the overlap.
 *
 * @throws RotationError of step `make`, `prove` or `publish`.
 */
export async function publishNew(world: RotationWorld, settings: RotationSettings): Promise<NewCredential> {
  const making = { world, settings, token: makeToken(world.randomBytes), startedAt: world.clock.now() };
  const made = await make(making);
  await proveOrDelete(making, made);
  const parameterVersion = await publish(making);
  return { tokenId: made.id, expiresAt: made.expiresAt, parameterVersion };
}

function make({ world, settings, token, startedAt }: Making): Promise<BootstrapToken> {
  const { owner, groups, terms, parameterName } = settings;
  return inStep('make', `making token ${token.id}`, () =>
    withoutSecret(token.secret, () =>
      world.tokens.createToken({
        token,
        owner,
        groups,
        expiresAt: startedAt + validitySeconds(terms) * 1000,
        description: `Drover: with this ${owner.role} nodes of ${owner.clusterName} ask to join; see SSM parameter ${parameterName}`,
      }),
    ),
  );
}

async function proveOrDelete(making: Making, made: BootstrapToken): Promise<void> {
  try {
    await prove(making, made);
  } catch (error) {
    await discard(making, made, error);
    throw error;
  }
}

/** Asks at the very address that will be published, with the token itself. */
async function prove({ world, settings, token, startedAt }: Making, made: BootstrapToken): Promise<void> {
  const { address, groups } = settings;
  const apart = Math.abs(made.createdAt - startedAt) / 1000;
  if (apart > freshSeconds)
    throw new RotationError('prove', `the clock here and the API server's are ${apart} s apart`, {
      remedy: 'Set this clock right.',
    });
  const identity = await inStep('prove', `asking ${address.server} who token ${token.id} is`, () =>
    withoutSecret(token.secret, async () => {
      for (let attempt = 1; attempt < proofAttempts; attempt += 1) {
        const answer = await world.tokens.whoAmI({ address, token });
        if (answer !== undefined) return answer;
      }
      return world.tokens.whoAmI({ address, token });
    }),
  );
  const problem = identityProblem({ identity, tokenId: token.id, groups });
  if (problem !== undefined) throw new RotationError('prove', `token ${token.id} is no use: ${problem}`);
}

async function discard({ world, token }: Making, made: BootstrapToken, error: unknown): Promise<void> {
  try {
    await withoutSecret(token.secret, () => world.tokens.deleteToken(made));
  } catch (failure) {
    const left = `token ${token.id} was not published and could not be deleted (${messageOf(failure)}); a later run retires it`;
    throw new RotationError('prove', `${messageOf(error)} Besides, ${left}`, {
      cause: new AggregateError([error, failure], left),
    });
  }
}

function publish({ world, settings, token, startedAt }: Making): Promise<number> {
  const { owner, address, parameterName, keyId } = settings;
  const seconds = (world.clock.now() - startedAt) / 1000;
  return inStep('publish', `publishing token ${token.id} in parameter ${parameterName}`, async () => {
    if (seconds > freshSeconds)
      throw new Error(`it was made ${seconds} s ago, and a run may take ${freshSeconds} s at most`);
    return withoutSecret(token.secret, () =>
      world.parameters.write({
        name: parameterName,
        value: formatBootstrapKubeconfig({ owner, address, token }),
        ...(keyId && { keyId }),
      }),
    );
  });
}
