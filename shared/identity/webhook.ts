import type { TimerClock } from '../base/clock.ts';
import { withinTime } from '../base/within-time.ts';
import type { HttpCall, HttpResult } from '../scale-api/http-call.ts';
import { json } from '../scale-api/http-call.ts';
import { ProblemError } from '../scale-api/problem.ts';
import { type Authentication, authenticate, type IdentityContext } from './authenticate.ts';
import { answerTokenReview, readTokenReview } from './token-review.ts';
import { isOwnCaller, type WebhookSecrets } from './webhook-secret.ts';

export const webhookPath = '/token-review';

export interface WebhookContext extends IdentityContext {
  readonly clock: TimerClock;
  /** Rejects where they cannot be read. */
  readonly readSecrets: () => Promise<WebhookSecrets>;
  /** Writes a line of the log: who was authenticated, or why not. It has nothing of the token. */
  readonly record: (said: Readonly<Record<string, string>>) => void;
  /** Something could not be asked. */
  readonly reportError: (message: string, error: unknown) => void;
}

/** Of the verdict, however many things hang: the API server waits 30 s, and the function has 25 s. */
const longestMilliseconds = 18_000;

/** A token, with its JSON around it, is some 5 KB at most. */
const longestBody = 16_384;

/**
 * Answers the TokenReview of an API server. It is the last authenticator in its chain, and receives every bearer that nobody knew: those are
 * refused without a call, and without a line in the log. What nobody could say is 503, which the API server asks again.
 *
 * @throws ProblemError
 */
export async function answerWebhook(context: WebhookContext, call: HttpCall): Promise<HttpResult> {
  if (call.path !== webhookPath)
    throw new ProblemError({ code: 'not-found', detail: `this is ${webhookPath}` });
  if (call.method !== 'POST')
    throw new ProblemError({
      code: 'method-not-allowed',
      detail: 'allowed: POST',
      headers: { allow: 'POST' },
    });
  if (call.body.length > longestBody)
    throw new ProblemError({
      code: 'body-too-large',
      detail: `a TokenReview has at most ${longestBody} bytes`,
    });
  if (!isOwnCaller(call.headers['authorization'], await certainly(context, () => context.readSecrets())))
    throw new ProblemError({ code: 'forbidden', detail: 'the bearer is not that of this webhook' });
  const review = readTokenReview(call.body);
  if (review === undefined)
    throw new ProblemError({
      code: 'malformed-request',
      detail: 'the body is no TokenReview of v1 or v1beta1',
    });
  const verdict = await certainly(context, () =>
    withinTime(context.clock, longestMilliseconds, authenticate(context, review.spec.token)),
  );
  if (verdict.kind === 'unavailable') throw unavailable(verdict.reason);
  if (!isUnknownBearer(verdict)) context.record(saidOf(verdict));
  return json(200, answerTokenReview(review, verdict.kind === 'user' ? verdict.user : undefined));
}

/** What is of another authenticator comes here too, expired service account tokens among it. */
const isUnknownBearer = (verdict: Authentication): boolean =>
  verdict.kind === 'refused' && (verdict.check === 'length' || verdict.check === 'prefix');

function saidOf(verdict: Exclude<Authentication, { kind: 'unavailable' }>): Readonly<Record<string, string>> {
  switch (verdict.kind) {
    case 'user':
      return {
        verdict: 'authenticated',
        username: verdict.user.username,
        arn: verdict.user.extra['arn']?.[0] ?? '',
        by: verdict.place,
      };
    case 'unmapped':
      return { verdict: 'unmapped', arn: verdict.arn, reason: verdict.reason };
    case 'refused':
      return { verdict: 'refused', check: verdict.check, reason: verdict.reason };
  }
}

/** @throws ProblemError 503 in place of any other error: nothing is guessed. */
async function certainly<Value>(
  { reportError }: Pick<WebhookContext, 'reportError'>,
  ask: () => Promise<Value>,
): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    reportError('a token could not be judged', error);
    throw unavailable('what the verdict needs does not answer; see the log of the function');
  }
}

const unavailable = (detail: string): ProblemError =>
  new ProblemError({ code: 'unavailable', detail, headers: { 'retry-after': '1' } });
