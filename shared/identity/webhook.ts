import * as z from 'zod/mini';
import type { TimerClock } from '../base/clock.ts';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import { withinTime } from '../base/within-time.ts';
import { type HttpCall, type HttpResult, json } from '../scale-api/http-call.ts';
import { ProblemError } from '../scale-api/problem.ts';
import { type Authentication, authenticate, type IdentityContext } from './authenticate.ts';
import type { KubernetesUser } from './user.ts';
import { isOwnCaller, type WebhookSecrets } from './webhook-secret.ts';

export const webhookPath = '/token-review';

export interface WebhookContext extends IdentityContext {
  readonly clock: TimerClock;
  /** Rejects if they cannot be read. */
  readonly readSecrets: () => Promise<WebhookSecrets>;
  /** Logs who was authenticated, or why not. The fields contain no part of the token. */
  readonly record: (fields: Readonly<Record<string, string>>) => void;
  /** Called with the error if a verdict could not be reached. */
  readonly reportError: (message: string, error: unknown) => void;
}

/** Bounds the whole answer if several calls hang: the API server waits 30 s, and the function has 25 s. */
const longestMilliseconds = 18_000;

/** A TokenReview is at most about 5 KB. */
const longestBody = 16_384;

/**
 * Answers the TokenReview of an API server. The webhook is the last authenticator in the chain, and receives every bearer token that no other
 * authenticator accepted: these are refused without a call and without a line in the log. If no verdict could be reached, the answer is 503, and
 * the API server retries.
 *
 * @throws ProblemError
 */
export async function answerWebhook(context: WebhookContext, call: HttpCall): Promise<HttpResult> {
  if (call.path !== webhookPath)
    throw new ProblemError({ code: 'not-found', detail: `the only path is ${webhookPath}` });
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
  const { clock } = context;
  const endsAt = clock.now() + longestMilliseconds;
  const inTime = <Value>(work: () => Promise<Value>): Promise<Value> =>
    orUnavailable(context, () => withinTime(clock, Math.max(0, endsAt - clock.now()), work()));
  if (!isOwnCaller(call.headers['authorization'], await inTime(() => context.readSecrets())))
    throw new ProblemError({ code: 'forbidden', detail: 'the bearer token is not a secret of this webhook' });
  const review = readTokenReview(call.body);
  if (review === undefined)
    throw new ProblemError({
      code: 'malformed-request',
      detail: 'the body is not a TokenReview of v1 or v1beta1',
    });
  const verdict = await inTime(() => authenticate(context, review.spec.token));
  if (verdict.kind === 'unavailable') throw unavailable(verdict.reason);
  if (!isUnknownBearer(verdict)) context.record(logFieldsOf(verdict));
  return json(200, answerTokenReview(review, verdict.kind === 'user' ? verdict.user : undefined));
}

/** Tokens of other authenticators arrive here too, for example expired service account tokens. */
const isUnknownBearer = (verdict: Authentication): boolean =>
  verdict.kind === 'refused' && (verdict.check === 'length' || verdict.check === 'prefix');

function logFieldsOf(
  verdict: Exclude<Authentication, { kind: 'unavailable' }>,
): Readonly<Record<string, string>> {
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

/** @throws ProblemError 503 instead of any other error: a verdict is never guessed. */
async function orUnavailable<Value>(
  { reportError }: Pick<WebhookContext, 'reportError'>,
  ask: () => Promise<Value>,
): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    reportError('a token could not be checked', error);
    throw unavailable('the token could not be checked; see the log of the function');
  }
}

const unavailable = (detail: string): ProblemError =>
  new ProblemError({ code: 'unavailable', detail, headers: { 'retry-after': '1' } });

const reviewSchema = lazily(() =>
  z.object({
    apiVersion: z.enum(['authentication.k8s.io/v1', 'authentication.k8s.io/v1beta1']),
    kind: z.literal('TokenReview'),
    spec: z.object({ token: z.string() }),
  }),
);

export type TokenReview = z.infer<ReturnType<typeof reviewSchema>>;

/** Reads the request of an API server (Kubernetes API reference, TokenReview); undefined for anything else. */
export function readTokenReview(text: string): TokenReview | undefined {
  const parsed = reviewSchema().safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/**
 * The answer in the version of the request. It names no audience, so the API server uses its own. The reason of a refusal is only in our log: the
 * API server would log it for every unknown bearer token.
 */
export const answerTokenReview = (
  { apiVersion }: Pick<TokenReview, 'apiVersion'>,
  user: KubernetesUser | undefined,
): object => ({
  apiVersion,
  kind: 'TokenReview',
  status: user === undefined ? { authenticated: false } : { authenticated: true, user },
});
