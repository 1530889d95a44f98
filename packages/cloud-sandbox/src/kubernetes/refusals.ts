import { attributesOf, denied } from './api/denied.ts';
import { unexplained } from './api/errors.ts';
import { routeOf } from './api/route.ts';
import { failure, type StatusError } from './api/status-error.ts';
import { statusResponse } from './api/status-response.ts';
import type { Attributes } from './authz/authorizer.ts';

/** An answer instead of the API server's, as a fault of `weather`. */
export interface Refusal {
  readonly kind: 'http-answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const refusalOf = (error: StatusError): Refusal => ({ kind: 'http-answer', ...statusResponse(error) });

/** What RBAC sees of a call: `PATCH /api/v1/nodes/a` has the verb `patch` and the resource `nodes`. */
export function attributesOfCall(what: string): Attributes {
  const [method = '', path = ''] = what.split(' ');
  const route = routeOf(method, path);
  if (route === undefined) throw new URIError(`no path of an API server: ${path}`);
  return attributesOf(route);
}

/** 403: no role lets the user do this. */
export const forbiddenByRbac = ({ what, username }: { readonly what: string; readonly username: string }) =>
  refusalOf(denied({ username }, attributesOfCall(what)));

/** An admission webhook said no, with a reason for people and by default with 403 (apiserver `pkg/admission/plugin/webhook/errors`). */
export const deniedByWebhook = ({
  webhook,
  why,
  code = 403,
}: {
  readonly webhook: string;
  readonly why: string;
  readonly code?: 403 | 429;
}) =>
  refusalOf(
    failure({
      code,
      reason: code === 429 ? 'TooManyRequests' : 'Forbidden',
      message: `admission webhook "${webhook}" denied the request: ${why}`,
    }),
  );

/** 500: an admission webhook cannot be reached, and its failurePolicy is Fail (apimachinery `NewInternalError`). */
export function webhookUnreachable({ webhook, why }: { readonly webhook: string; readonly why: string }) {
  const message = `failed calling webhook "${webhook}": failed to call webhook: ${why}`;
  return refusalOf(
    failure({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${message}`,
      causes: [{ message }],
    }),
  );
}

/** 504: the request, with its admission, took longer than the server gives it (apiserver `finisher`). */
export const requestTimedOut = (): Refusal =>
  refusalOf(
    failure({
      code: 504,
      reason: 'Timeout',
      message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
      hasEmptyDetails: true,
    }),
  );

/** 500: etcd has no leader or is too slow, so that nothing can be written. */
export const etcdTimedOut = (): Refusal => refusalOf(unexplained('etcdserver: request timed out'));

/** 429: the server has too many requests of this caller's priority; plain text, as its filter answers. */
export const tooManyRequests = (): Refusal => ({
  kind: 'http-answer',
  status: 429,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' },
  body: 'Too many requests, please try again later.\n',
});
