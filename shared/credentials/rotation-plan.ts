import { sameAddress } from './bootstrap-kubeconfig.ts';
import { maxValidTokens, type RotationTerms } from './rotation-terms.ts';
import type { BootstrapToken, ClusterAddress } from './token-cluster.ts';

/** The published credential as it was found. */
export interface PublishedSight {
  readonly tokenId: string;
  readonly publishedAt: number;
  readonly address: ClusterAddress;
  /** Why the API server does not accept it as what it should be; undefined where it does. */
  readonly refusal: string | undefined;
}

/** What one run has read: all that the plan knows. */
export interface RotationSight {
  /** Undefined where nothing is published. */
  readonly published: PublishedSight | undefined;
  /** Every token of ours, expired ones too. */
  readonly tokens: readonly BootstrapToken[];
}

/** What the published credential should be. */
export interface RotationAim {
  readonly address: ClusterAddress;
  readonly groups: readonly string[];
  readonly terms: RotationTerms;
  /** Someone asked for a new credential, due or not. */
  readonly forced: boolean;
}

export interface TokenVerdict {
  readonly token: BootstrapToken;
  readonly reason: string;
}

/**
 * `make`: a new credential is to be published; `keep`: the published one is good; `blocked`: a new one is due, but so many
 * of our tokens are valid that something must be making them in a loop.
 */
export interface RotationPlan {
  readonly action: 'make' | 'keep' | 'blocked';
  readonly reason: string;
  /** The server that nodes are to be told. */
  readonly server: string;
  /** Nodes are told another server or certificate authority until now. */
  readonly moves: boolean;
  readonly retire: readonly TokenVerdict[];
  readonly retain: readonly TokenVerdict[];
}

/** Decides from what was read alone: what to make, which tokens to retire and which to leave, each with its reason. */
export function planRotation(sight: RotationSight, aim: RotationAim, now: number): RotationPlan {
  const due = dueReason(sight, aim, now);
  const verdicts = sight.tokens.map((token) => ({ token, ...fate(token, sight, aim.terms, now) }));
  const { published } = sight;
  const facts = {
    server: aim.address.server,
    moves: published !== undefined && !sameAddress(published.address, aim.address),
    retire: verdicts.filter(({ retire }) => retire).map(({ token, reason }) => ({ token, reason })),
    retain: verdicts.filter(({ retire }) => !retire).map(({ token, reason }) => ({ token, reason })),
  };
  if (due === undefined) return { action: 'keep', reason: keepReason(sight, now), ...facts };
  const valid = sight.tokens.filter((token) => token.expiresAt > now).length;
  if (valid < maxValidTokens) return { action: 'make', reason: due, ...facts };
  return { action: 'blocked', reason: `${due}; but ${valid} tokens of ours are valid already`, ...facts };
}

function dueReason(sight: RotationSight, aim: RotationAim, now: number): string | undefined {
  const { published } = sight;
  if (published === undefined) return 'nothing is published';
  if (aim.forced) return 'asked for';
  if (!sameAddress(published.address, aim.address))
    return `the published kubeconfig names another server or certificate authority than ${aim.address.server}`;
  if (published.refusal !== undefined)
    return `token ${published.tokenId} is published, but ${published.refusal}`;
  const token = sight.tokens.find(({ id }) => id === published.tokenId);
  if (token === undefined) return `token ${published.tokenId} is published, but does not carry our labels`;
  return tokenDueReason({ token, publishedAt: published.publishedAt, aim, now });
}

function tokenDueReason(options: {
  readonly token: BootstrapToken;
  readonly publishedAt: number;
  readonly aim: RotationAim;
  readonly now: number;
}): string | undefined {
  const { token, publishedAt, aim, now } = options;
  const { rotationSeconds, overlapSeconds } = aim.terms;
  if (token.groups.join() !== [...aim.groups].sort().join())
    return `token ${token.id} is published with other groups than ${aim.groups.join(', ')}`;
  const ageSeconds = secondsBetween(publishedAt, now);
  if (ageSeconds >= rotationSeconds)
    return `token ${token.id} was published ${ageSeconds} s ago, and every ${rotationSeconds} s it is replaced`;
  const leftSeconds = secondsBetween(now, token.expiresAt);
  return leftSeconds < rotationSeconds + overlapSeconds
    ? `token ${token.id} expires in ${leftSeconds} s, sooner than one rotation and the slowest boot take`
    : undefined;
}

const keepReason = ({ published }: RotationSight, now: number): string =>
  published === undefined
    ? 'nothing is published'
    : `token ${published.tokenId} was published ${secondsBetween(published.publishedAt, now)} s ago and is accepted`;

/**
 * A token is retired when nobody can still hold it: another one has been published for the whole overlap. Its own age
 * counts as well, for another run may be about to publish it. Half-made tokens, of runs that were killed, go the same way.
 */
function fate(
  token: BootstrapToken,
  { published }: RotationSight,
  { overlapSeconds }: RotationTerms,
  now: number,
): { readonly retire: boolean; readonly reason: string } {
  if (published === undefined)
    return { retire: false, reason: 'nothing is published: nodes may still hold it' };
  if (token.id === published.tokenId) return { retire: false, reason: 'it is published' };
  const replacedAt = Math.max(token.createdAt, published.publishedAt);
  const leftSeconds = overlapSeconds - secondsBetween(replacedAt, now);
  return leftSeconds > 0
    ? { retire: false, reason: `a node may still hold it for ${leftSeconds} s` }
    : {
        retire: true,
        reason: `token ${published.tokenId} has replaced it for more than ${overlapSeconds} s`,
      };
}

const secondsBetween = (from: number, to: number): number => Math.floor((to - from) / 1000);
