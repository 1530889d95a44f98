import type { ActionAnswer } from './evict-pods.ts';

/** The kinds of the errors of a `DrainCluster` that passes tell apart; the adapter has more. */
const kindOf = (error: unknown): unknown =>
  error instanceof Error && 'kind' in error ? error.kind : undefined;

/** The call was not answered, or the invocation's time was up: it says nothing of what is there. */
export const hasNoAnswer = (error: unknown): boolean =>
  ['unreachable', 'unavailable'].includes(String(kindOf(error))) ||
  (error instanceof Error && error.name === 'AbortError');

/** What was read before is no longer there: it has gone, or another object has its name. */
export const isAboutAnotherObject = (error: unknown): boolean =>
  ['conflict', 'not-found'].includes(String(kindOf(error)));

const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0;

/**
 * The API server refuses a write, and will until a person mends the cause: a right is missing, an admission webhook or policy
 * denies it, or a webhook fails (500).
 */
export const isDenied = (error: unknown): boolean =>
  error instanceof Error &&
  ([400, 403, 405, 422].includes(statusOf(error)) ||
    (statusOf(error) === 500 && /\bwebhook\b/.test(error.message)));

/** What an eviction or deletion that failed says of the pod; undefined: nothing, and the failure is not this pod's. */
export function failedAnswer(error: unknown): ActionAnswer | undefined {
  if (!(error instanceof Error) || error.name === 'AbortError') return undefined;
  const { message } = error;
  if (isDenied(error)) return { kind: 'refused', statusCode: statusOf(error), message };
  if (kindOf(error) === 'unreachable') return { kind: 'no-answer', message };
  return ['throttled', 'unavailable'].includes(String(kindOf(error)))
    ? { kind: 'throttled', message }
    : undefined;
}
