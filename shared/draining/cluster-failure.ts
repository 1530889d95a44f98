import type { ActionAnswer } from './evict-pods.ts';

/** The kind of an error of a `DrainCluster`. The adapter has more kinds than passes distinguish. */
const kindOf = (error: unknown): unknown =>
  error instanceof Error && 'kind' in error ? error.kind : undefined;

/** The call got no response, or the time of the invocation was up. It shows nothing about the object. */
export const hasNoAnswer = (error: unknown): boolean =>
  ['unreachable', 'unavailable'].includes(String(kindOf(error))) ||
  (error instanceof Error && error.name === 'AbortError');

/** No kubeconfig is stored, so no API server was called. */
export const hasNoKubeconfig = (error: unknown): boolean => kindOf(error) === 'no-kubeconfig';

/** The API server has no time for the call now. */
export const isThrottled = (error: unknown): boolean => kindOf(error) === 'throttled';

/** The object that was read before is gone, or another object has its name. */
export const isAboutAnotherObject = (error: unknown): boolean =>
  ['conflict', 'not-found'].includes(String(kindOf(error)));

/** The API server would answer the same about any other object, or not at all. A 422 is about the object that was sent. */
export const isAboutEveryObject = (error: unknown): boolean =>
  !isAboutAnotherObject(error) && statusOf(error) !== 422;

const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0;

/**
 * The API server refuses a write, and will do so until an operator fixes the cause: a right is missing, an admission webhook or policy
 * denies it, or a webhook fails (500).
 */
export const isDenied = (error: unknown): boolean =>
  error instanceof Error &&
  ([400, 403, 405, 422].includes(statusOf(error)) ||
    (statusOf(error) === 500 && /\bwebhook\b/.test(error.message)));

/** What a failed eviction or deletion means for the pod; undefined if the failure is not about this pod. */
export function failedAnswer(error: unknown): ActionAnswer | undefined {
  if (!(error instanceof Error) || error.name === 'AbortError') return undefined;
  const { message } = error;
  if (isDenied(error)) return { kind: 'refused', statusCode: statusOf(error), message };
  if (kindOf(error) === 'unreachable') return { kind: 'no-answer', message };
  return ['throttled', 'unavailable'].includes(String(kindOf(error)))
    ? { kind: 'throttled', message }
    : undefined;
}
