import { findMatch, type Mapping } from './mapping.ts';
import type { NodeIdentity } from './node-instances.ts';
import type { TokenRefusal } from './read-token.ts';
import { type PresignedToken, readToken } from './read-token.ts';
import type { Identity } from './sts-answer.ts';
import { readStsAnswer, type StsVerdict } from './sts-answer.ts';
import { type InstanceOfIdentity, type KubernetesUser, userOf } from './user.ts';

/** What the authentication of a token needs. */
export interface IdentityContext {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly partition: string;
  /** Sends the presigned request with our own cluster id, and follows no redirect. Rejects if STS does not respond. */
  readonly askSts: (token: PresignedToken) => Promise<{ readonly status: number; readonly body: string }>;
  /** The sources in the order of their precedence. Each rejects if it cannot be read and its last value is too old. */
  readonly readMappings: readonly (() => Promise<Mapping>)[];
  /** Rejects if EC2 or IAM does not respond and what was kept of them does not say. */
  readonly findInstance: (node: NodeIdentity) => Promise<InstanceOfIdentity>;
}

/** `unavailable`: the token could not be checked, and the caller may retry. */
export type Authentication =
  | { readonly kind: 'user'; readonly user: KubernetesUser; readonly place: string }
  | TokenRefusal
  | { readonly kind: 'unmapped'; readonly arn: string; readonly reason: string }
  | Extract<StsVerdict, { kind: 'unavailable' }>;

/** Finds the Kubernetes user of a token. A text that is not an IAM token is refused without a call. */
export async function authenticate(context: IdentityContext, token: string): Promise<Authentication> {
  const verdict = await identify(context, token);
  if (verdict.kind !== 'identity') return verdict;
  const { identity } = verdict;
  const sources = await sourcesFor(identity, context.readMappings);
  const instanceOf = (instanceId: string) =>
    context.findInstance({ instanceId, roleArn: identity.canonicalArn });
  const first = userOf({ identity, sources });
  const user =
    first.kind === 'needs-instance'
      ? userOf({ identity, sources, looked: { instance: await instanceOf(first.instanceId) } })
      : first;
  if (user.kind === 'user') return user;
  const reason = user.kind === 'unmapped' ? user.reason : `instance ${user.instanceId} was not looked up`;
  return { kind: 'unmapped', arn: identity.arn, reason };
}

/**
 * Reads the sources up to the first that knows the identity. So an unavailable source does not affect the identities of earlier sources, and
 * an identity of a later source is never guessed while an earlier source is unavailable.
 */
async function sourcesFor(
  identity: Identity,
  readers: IdentityContext['readMappings'],
): Promise<readonly Mapping[]> {
  for (const readSource of readers) {
    const mapping = await readSource();
    if (findMatch(identity, [mapping])) return [mapping];
  }
  return [];
}

/** Finds the IAM identity of a token: checks its text, then calls STS. */
export async function identify(
  { now, partition, askSts }: Pick<IdentityContext, 'now' | 'partition' | 'askSts'>,
  token: string,
): Promise<StsVerdict> {
  const read = readToken(token, { now: now(), partition });
  if (read.kind === 'refused') return read;
  return readStsAnswer(await askSts(read), read.accessKeyId);
}
