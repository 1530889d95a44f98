import { messageOf } from '../base/message-of.ts';
import { formatBootstrapKubeconfig } from './bootstrap-kubeconfig.ts';
import { changeLedger } from './keep-ledger.ts';
import { withoutSecret } from './redact.ts';
import type { RotationContext, RotationSettings } from './rotate.ts';
import { inStep, RotationError } from './rotation-error.ts';
import { freshSeconds, validitySeconds } from './rotation-plan.ts';
import { identityProblem, makeToken, type Token } from './token.ts';
import type { BootstrapToken } from './token-cluster.ts';

/** What was published, without the secret. */
export interface NewCredential {
  readonly tokenId: string;
  readonly expiresAt: number;
  readonly parameterVersion: number;
}

interface Attempt {
  readonly context: RotationContext;
  readonly settings: RotationSettings;
  readonly token: Token;
  readonly startedAt: number;
}

/** An API server accepts a new token once its watch has seen the Secret. That takes milliseconds, as does each attempt. */
const proofAttempts = 10;

/**
 * Steps 3 to 6: checks that the API server can prove a token, makes a token, records it in the ledger, proves it with the API server and publishes it. Until the parameter is
 * written, the previous credential stays in force. A token that was not recorded or not accepted is deleted. A token whose
 * publication failed is kept, because the write may have succeeded although its answer was lost; otherwise the token is retired
 * after the overlap. A token of a run that was killed before it was recorded expires by itself.
 *
 * @throws RotationError of step `make`, `record`, `prove` or `publish`.
 */
export async function publishNew(
  context: RotationContext,
  settings: RotationSettings,
): Promise<NewCredential> {
  await checkServer(context);
  const attempt = {
    context,
    settings,
    token: makeToken(context.randomBytes),
    startedAt: context.clock.now(),
  };
  const made = await make(attempt);
  await recordAndProve(attempt, made);
  const parameterVersion = await publish(attempt);
  return { tokenId: made.id, expiresAt: made.expiresAt, parameterVersion };
}

/** A server that cannot prove a token gets none. */
async function checkServer({ tokens }: RotationContext): Promise<void> {
  const isProvable = await inStep('make', 'asking the API server whether it can prove a token', () =>
    tokens.canProveTokens(),
  );
  if (isProvable) return;
  throw new RotationError(
    'make',
    'the API server does not serve selfsubjectreviews.authentication.k8s.io, which Kubernetes has since 1.28, so no token was made',
    {
      remedy:
        'Set the parameter bootstrap to off: docs/openshift-3.11.md says how nodes get a credential there.',
    },
  );
}

function make({ context, settings, token, startedAt }: Attempt): Promise<BootstrapToken> {
  const { owner, groups, timing, parameterName } = settings;
  return inStep('make', `making token ${token.id}`, () =>
    withoutSecret(token.secret, () =>
      context.tokens.createToken({
        token,
        owner,
        groups,
        expiresAt: startedAt + validitySeconds(timing) * 1000,
        description: `Drover: ${owner.role} nodes of ${owner.clusterName} ask to join with this token; see SSM parameter ${parameterName}`,
      }),
    ),
  );
}

async function recordAndProve(attempt: Attempt, made: BootstrapToken): Promise<void> {
  try {
    checkClocks(attempt, made);
    await record(attempt, made);
    await prove(attempt);
  } catch (error) {
    await discard(attempt, made, error);
    throw error;
  }
}

function record({ context, settings }: Attempt, made: BootstrapToken): Promise<void> {
  return inStep('record', `adding token ${made.id} to the ledger`, () =>
    changeLedger(context, settings, (tokens) => [...tokens, made]),
  );
}

/** A token whose time of creation cannot be read is not published: nothing would show when it has to be replaced. */
function checkClocks({ token, startedAt }: Attempt, made: BootstrapToken): void {
  if (!Number.isFinite(made.createdAt))
    throw new RotationError('prove', `the creationTimestamp of token ${token.id} is not a time`);
  const apart = Math.abs(made.createdAt - startedAt) / 1000;
  if (apart > freshSeconds)
    throw new RotationError('prove', `the clock here and the API server's are ${apart} s apart`, {
      remedy: 'Correct the clock of this machine.',
    });
}

/** Asks at the address that will be published, with the token itself. */
async function prove({ context, settings, token }: Attempt): Promise<void> {
  const { address, groups } = settings;
  const identity = await inStep(
    'prove',
    `asking ${address.server} for the identity of token ${token.id}`,
    () =>
      withoutSecret(token.secret, async () => {
        for (let attempt = 1; attempt < proofAttempts; attempt += 1) {
          const answer = await context.tokens.whoAmI({ address, token });
          if (answer !== undefined) return answer;
        }
        return context.tokens.whoAmI({ address, token });
      }),
  );
  const problem = identityProblem({ identity, tokenId: token.id, groups });
  if (problem !== undefined) throw new RotationError('prove', `token ${token.id} cannot be used: ${problem}`);
  await proveRight(context, settings, token);
}

/** A token without this right would lock out every node that reads it. */
async function proveRight(
  { tokens }: RotationContext,
  { address, groups }: RotationSettings,
  token: Token,
): Promise<void> {
  const isAllowed = await inStep('prove', `asking ${address.server} what token ${token.id} may do`, () =>
    withoutSecret(token.secret, () => tokens.mayRequestCertificates({ address, token })),
  );
  if (isAllowed) return;
  throw new RotationError(
    'prove',
    `token ${token.id} cannot be used: it may not create certificatesigningrequests`,
    {
      remedy: `Bind the ClusterRole system:node-bootstrapper to the group ${groups.join(' or ')}, as drover rbac prints it.`,
    },
  );
}

async function discard({ context, token }: Attempt, made: BootstrapToken, error: unknown): Promise<void> {
  try {
    await withoutSecret(token.secret, () => context.tokens.deleteToken(made));
  } catch (failure) {
    const left = `token ${token.id} was not published and could not be deleted (${messageOf(failure)}); it expires by itself`;
    const step = error instanceof RotationError ? error.step : 'prove';
    throw new RotationError(step, `${messageOf(error)} Besides, ${left}`, {
      cause: new AggregateError([error, failure], left),
    });
  }
}

function publish({ context, settings, token, startedAt }: Attempt): Promise<number> {
  const { owner, address, parameterName, keyId } = settings;
  const seconds = (context.clock.now() - startedAt) / 1000;
  return inStep('publish', `publishing token ${token.id} in parameter ${parameterName}`, async () => {
    if (seconds > freshSeconds)
      throw new Error(`it was made ${seconds} s ago, and a run may take ${freshSeconds} s at most`);
    return withoutSecret(token.secret, () =>
      context.parameters.write({
        name: parameterName,
        value: formatBootstrapKubeconfig({ owner, address, token }),
        keyId,
      }),
    );
  });
}
