import { sameAddress } from './bootstrap-kubeconfig.ts';
import type { RotationReport } from './rotate.ts';
import type { BootstrapToken, ClusterAddress } from './token-cluster.ts';

/** The published credential as observed. */
export interface PublishedCredential {
  readonly tokenId: string;
  readonly publishedAt: number;
  readonly address: ClusterAddress;
  /** Why the API server does not accept it; undefined if it does. */
  readonly refusal: string | undefined;
}

/** What one run has read: the input of the plan. */
export interface RotationObservation {
  /** Undefined if nothing is published. */
  readonly published: PublishedCredential | undefined;
  /** The tokens of the ledger, including expired ones. Some may be gone: an operator or the cluster deleted them. */
  readonly tokens: readonly BootstrapToken[];
}

/** What the published credential should be. */
export interface RotationTarget {
  readonly address: ClusterAddress;
  readonly groups: readonly string[];
  readonly timing: RotationTiming;
  /** Whether an operator asked for a new credential, even if none is due. */
  readonly forced: boolean;
}

export interface TokenVerdict {
  readonly token: BootstrapToken;
  readonly reason: string;
}

/**
 * `make`: publish a new credential; `keep`: the published one is good; `blocked`: a new one is due, but so many of our tokens are
 * valid that something must be making them in a loop.
 */
export interface RotationPlan {
  readonly action: 'make' | 'keep' | 'blocked';
  readonly reason: string;
  /** The server for new nodes. */
  readonly server: string;
  /** The token that is published now; undefined if nothing is. */
  readonly publishedId: string | undefined;
  /** Whether the published server or certificate authority differs. */
  readonly moves: boolean;
  readonly retire: readonly TokenVerdict[];
  readonly retain: readonly TokenVerdict[];
}

/** Decides whether to make a credential, and which tokens to retire or retain, each with its reason. Pure. */
export function planRotation(
  observation: RotationObservation,
  target: RotationTarget,
  now: number,
): RotationPlan {
  const due = dueReason(observation, target, now);
  const verdicts = observation.tokens.map((token) => ({
    token,
    ...decideToken(token, observation, target.timing, now),
  }));
  const { published } = observation;
  const facts = {
    server: target.address.server,
    publishedId: published?.tokenId,
    moves: published !== undefined && !sameAddress(published.address, target.address),
    retire: verdicts.filter(({ retire }) => retire).map(({ token, reason }) => ({ token, reason })),
    retain: verdicts.filter(({ retire }) => !retire).map(({ token, reason }) => ({ token, reason })),
  };
  if (due === undefined) return { action: 'keep', reason: keepReason(observation, now), ...facts };
  const valid = observation.tokens.filter((token) => token.expiresAt > now).length;
  if (valid < maxValidTokens) return { action: 'make', reason: due, ...facts };
  return { action: 'blocked', reason: `${due}; but ${valid} tokens of ours are valid already`, ...facts };
}

function dueReason(
  observation: RotationObservation,
  target: RotationTarget,
  now: number,
): string | undefined {
  const { published } = observation;
  if (published === undefined) return 'nothing is published';
  if (target.forced) return 'asked for';
  if (!sameAddress(published.address, target.address))
    return `the published kubeconfig names another server or certificate authority than ${target.address.server}`;
  if (published.refusal !== undefined)
    return `token ${published.tokenId} is published, but ${published.refusal}`;
  const token = observation.tokens.find(({ id }) => id === published.tokenId);
  if (token === undefined) return `token ${published.tokenId} is published, but the ledger does not have it`;
  return tokenDueReason({ token, publishedAt: published.publishedAt, target, now });
}

function tokenDueReason(options: {
  readonly token: BootstrapToken;
  readonly publishedAt: number;
  readonly target: RotationTarget;
  readonly now: number;
}): string | undefined {
  const { token, publishedAt, target, now } = options;
  const { rotationSeconds, overlapSeconds } = target.timing;
  if (token.groups.join() !== [...target.groups].sort().join())
    return `token ${token.id} is published with other groups than ${target.groups.join(', ')}`;
  const ageSeconds = secondsBetween(publishedAt, now);
  if (ageSeconds >= rotationSeconds)
    return `token ${token.id} was published ${ageSeconds} s ago, and is replaced every ${rotationSeconds} s`;
  const leftSeconds = secondsBetween(now, token.expiresAt);
  return leftSeconds < rotationSeconds + overlapSeconds
    ? `token ${token.id} expires in ${leftSeconds} s, before one rotation and the slowest boot are over`
    : undefined;
}

const keepReason = ({ published }: RotationObservation, now: number): string =>
  published === undefined
    ? 'nothing is published'
    : `token ${published.tokenId} was published ${secondsBetween(published.publishedAt, now)} s ago and is accepted`;

/**
 * Retires a token once no node can still hold it: another one has been published for the whole overlap. The token's own age
 * counts too, because another run may be about to publish it. Tokens of killed runs are retired in the same way.
 */
function decideToken(
  token: BootstrapToken,
  { published }: RotationObservation,
  { overlapSeconds }: RotationTiming,
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

/** The operator's settings of the rotation. */
interface RotationTiming {
  /** The period of the rotation. */
  readonly rotationSeconds: number;
  /** How long a replaced credential stays valid: the slowest boot, from reading the credential to using it. */
  readonly overlapSeconds: number;
}

/** If one owner has more valid tokens than this, something makes them in a loop. */
const maxValidTokens = 10;

/**
 * A run publishes a token within this time after making it, or not at all: a laptop that slept in between must not publish a
 * token that others have retired. The shortest allowed overlap is longer.
 */
export const freshSeconds = 300;

/**
 * How long a new token is valid. It must outlast the rotation period and the slowest boot, because a node may read it at the last
 * moment. A second period is added, so that no node is locked out if the rotation fails for a whole period.
 */
export const validitySeconds = ({ rotationSeconds, overlapSeconds }: RotationTiming): number =>
  2 * rotationSeconds + overlapSeconds;

interface VerdictSummary {
  readonly tokenId: string;
  /** RFC 3339. */
  readonly expiresAt: string;
  readonly reason: string;
}

/** A plan as commands and logs show it. */
interface PlanSummary {
  readonly action: RotationPlan['action'];
  readonly reason: string;
  /** The server for new nodes. */
  readonly server: string;
  readonly retire: readonly VerdictSummary[];
  readonly retain: readonly VerdictSummary[];
}

/** What a rotation did. `tokenId`, `expiresAt` and `parameterVersion` describe the credential that it published. */
export interface RotationSummary extends PlanSummary {
  readonly tokenId?: string;
  readonly expiresAt?: string;
  readonly parameterVersion?: number;
}

export const planSummaryOf = ({ action, reason, server, retire, retain }: RotationPlan): PlanSummary => ({
  action,
  reason,
  server,
  retire: retire.map(verdictSummaryOf),
  retain: retain.map(verdictSummaryOf),
});

export const summaryOf = ({ plan, made }: RotationReport): RotationSummary => ({
  ...planSummaryOf(plan),
  ...(made && {
    tokenId: made.tokenId,
    expiresAt: timeOf(made.expiresAt),
    parameterVersion: made.parameterVersion,
  }),
});

const verdictSummaryOf = ({ token, reason }: TokenVerdict): VerdictSummary => ({
  tokenId: token.id,
  expiresAt: timeOf(token.expiresAt),
  reason,
});

const timeOf = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
