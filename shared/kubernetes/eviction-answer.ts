import type { HttpResponse } from '../net/http.ts';
import type { EvictionAnswer } from '../nodes/cluster.ts';
import { type Status, statusOf } from './status.ts';

/** Whether a UID precondition failed, in an eviction or a deletion. The API server tells only in the message. */
export const isUidConflict = (response: HttpResponse): boolean =>
  response.status === 409 && /\bUID in (the )?precondition/.test(statusOf(response).message);

/**
 * Reads the answer to an eviction (pkg/registry/core/pod/storage/eviction.go). Only 429 with cause DisruptionBudget comes from a
 * budget. The same request may succeed later after other conflicts, after a budget whose status could not be updated in time
 * (504), and after server errors.
 */
export function evictionAnswer(response: HttpResponse): EvictionAnswer {
  if (response.status >= 200 && response.status < 300) return { kind: 'evicted' };
  if (response.status === 404 || isUidConflict(response)) return { kind: 'gone' };
  const status = statusOf(response);
  const message = messageOf(status, response);
  const retry = status.retryAfterSeconds ? { retryAfterSeconds: status.retryAfterSeconds } : {};
  if (response.status === 429)
    return { kind: status.causes.includes('DisruptionBudget') ? 'held' : 'throttled', message, ...retry };
  if (response.status === 403 && status.causes.includes('NamespaceTerminating'))
    return { kind: 'namespace-terminating', message };
  if (/more than one PodDisruptionBudget/.test(status.message)) return { kind: 'several-budgets', message };
  if ([409, 502, 503, 504].includes(response.status)) return { kind: 'throttled', message, ...retry };
  return { kind: 'refused', statusCode: response.status, message };
}

const messageOf = (status: Status, response: HttpResponse): string =>
  status.causeMessages[0] || status.message || `the API server answered ${response.status}`;
