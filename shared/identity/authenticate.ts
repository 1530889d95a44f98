import type { Identity } from './identity.ts';
import { findMatch, type Mapping } from './mapping.ts';
import { type PresignedToken, readToken } from './read-token.ts';
import { readStsAnswer, type StsVerdict } from './sts-answer.ts';
import type { TokenRefusal } from './token-refusal.ts';
import { type InstanceOfIdentity, type KubernetesUser, userOf } from './user.ts';

/** What the authentication of a token asks of others. */
export interface IdentityContext {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly partition: string;
  /** Sends the presigned request with our own cluster id, and follows no redirect. Rejects where no answer comes. */
  readonly askSts: (token: PresignedToken) => Promise<{ readonly status: number; readonly body: string }>;
  /** The sources, in the order in which they count. Each rejects where it cannot be read, and what was read is too old. */
  readonly readMappings: readonly (() => Promise<Mapping>)[];
  readonly findInstance: (instanceId: string) => Promise<InstanceOfIdentity>;
}

/** `unavailable`: nothing is known of the token, and it may be asked again. */
export type Authentication =
  | { readonly kind: 'user'; readonly user: KubernetesUser; readonly place: string }
  | TokenRefusal
  | { readonly kind: 'unmapped'; readonly arn: string; readonly reason: string }
  | Extract<StsVerdict, { kind: 'unavailable' }>;

/** Finds the Kubernetes user of a token. A text that is no token of IAM is refused without a call. */
export async function authenticate(context: IdentityContext, token: string): Promise<Authentication> {
  const verdict = await identify(context, token);
  if (verdict.kind !== 'identity') return verdict;
  const { identity } = verdict;
  const sources = await sourcesFor(identity, context.readMappings);
  const first = userOf({ identity, sources });
  const user =
    first.kind === 'needs-instance'
      ? userOf({ identity, sources, looked: { instance: await context.findInstance(first.instanceId) } })
      : first;
  if (user.kind === 'user') return user;
  const reason = user.kind === 'unmapped' ? user.reason : `instance ${user.instanceId} was not looked up`;
  return { kind: 'unmapped', arn: identity.arn, reason };
}

/** Reads the sources up to the first that knows the identity: what it says holds while a later one is away, and nothing is guessed while an earlier one is. */
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

/** Finds the IAM identity of a token: checks its text, then asks STS. */
export async function identify(
  { now, partition, askSts }: Pick<IdentityContext, 'now' | 'partition' | 'askSts'>,
  token: string,
): Promise<StsVerdict> {
  const read = readToken(token, { now: now(), partition });
  if (read.kind === 'refused') return read;
  return readStsAnswer(await askSts(read), read.accessKeyId);
}
