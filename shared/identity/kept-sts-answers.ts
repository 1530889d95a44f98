import { createHash } from 'node:crypto';
import type { TimerClock } from '../base/clock.ts';
import { isRecent } from '../base/is-recent.ts';
import { withinTime } from '../base/within-time.ts';
import type { IdentityContext } from './authenticate.ts';
import type { PresignedToken } from './read-token.ts';
import { readStsAnswer } from './sts-answer.ts';

type AskSts = IdentityContext['askSts'];
type Answer = Awaited<ReturnType<AskSts>>;

export interface KeptStsOptions {
  readonly clock: TimerClock;
  readonly askSts: AskSts;
  /** Called with the reason each time that a kept answer is used. */
  readonly onKept: (error: unknown) => void;
}

/** How long the acceptance of a token counts while STS does not answer. A token itself is valid for 15 minutes. */
const staleSeconds = 600;
/** A token that STS accepted before does not wait longer for it. */
const longestMilliseconds = 3000;
/** An answer has about 500 bytes. A cluster of 1,000 nodes has as many valid tokens. */
const mostAnswers = 5000;

/**
 * STS is asked about each token, and concurrent reviews of one token share the request. While STS throttles or does not respond, its last answer counts
 * for that very token, if it accepted it within ten minutes. A refusal ends that at once. Nothing else is ever admitted without STS.
 */
export function keptStsAnswers({ clock, askSts, onKept }: KeptStsOptions): AskSts {
  const accepted = new Map<string, { readonly answer: Answer; readonly acceptedAt: number }>();
  const asking = new Map<string, Promise<Answer>>();

  const keep = (key: string, answer: Answer): void => {
    accepted.delete(key);
    const oldest = accepted.keys().next().value;
    if (accepted.size >= mostAnswers && oldest !== undefined) accepted.delete(oldest);
    accepted.set(key, { answer, acceptedAt: clock.now() });
  };
  const ask = async (key: string, token: PresignedToken): Promise<Answer> => {
    const last = accepted.get(key);
    const counts = last && isRecent(last.acceptedAt, { now: clock.now(), seconds: staleSeconds });
    const kept = counts ? last.answer : undefined;
    const asked = askSts(token);
    const outcome = await answerOf(kept ? withinTime(clock, longestMilliseconds, asked) : asked);
    if (outcome.kind === 'verdict') {
      if (outcome.isAccepted) keep(key, outcome.answer);
      else accepted.delete(key);
      return outcome.answer;
    }
    if (kept) {
      onKept(outcome.error);
      return kept;
    }
    if (outcome.answer) return outcome.answer;
    throw outcome.error;
  };
  return (token) => {
    const key = digestOf(token);
    const shared = asking.get(key) ?? ask(key, token).finally(() => asking.delete(key));
    asking.set(key, shared);
    return shared;
  };
}

type Outcome =
  | { readonly kind: 'verdict'; readonly answer: Answer; readonly isAccepted: boolean }
  | { readonly kind: 'none'; readonly answer?: Answer; readonly error: unknown };

async function answerOf(asked: Promise<Answer>): Promise<Outcome> {
  try {
    const answer = await asked;
    const verdict = readStsAnswer(answer, '');
    return verdict.kind === 'unavailable'
      ? { kind: 'none', answer, error: new StsAwayError(verdict.reason) }
      : { kind: 'verdict', answer, isAccepted: verdict.kind === 'identity' };
  } catch (error) {
    return { kind: 'none', error };
  }
}

/** STS said nothing about the token. */
export class StsAwayError extends Error {
  override readonly name = 'StsAwayError';
}

/** The digest covers exactly what STS checks. The token itself is a secret, and is not kept. */
const digestOf = ({ host, query }: PresignedToken): string =>
  createHash('sha256')
    .update(JSON.stringify([host, Object.entries(query)]))
    .digest('base64');
