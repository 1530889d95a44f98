import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import type { HttpResponse } from '../net/http.ts';

const statusSchema = lazily(() =>
  z.object({
    message: z.optional(z.string()),
    reason: z.optional(z.string()),
    details: z.optional(
      z.object({
        causes: z.optional(
          z.array(
            z.object({
              reason: z.optional(z.string()),
              message: z.optional(z.string()),
              field: z.optional(z.string()),
            }),
          ),
        ),
        retryAfterSeconds: z.optional(z.number()),
      }),
    ),
  }),
);

/** The fields of a metav1.Status that Drover reads. */
export interface Status {
  readonly message: string;
  readonly reason: string;
  /** The reasons of its causes, e.g. `DisruptionBudget`. */
  readonly causes: readonly string[];
  readonly causeMessages: readonly string[];
  /** The fields that the causes of a 422 name, e.g. `metadata.uid`. */
  readonly causeFields: readonly string[];
  readonly retryAfterSeconds?: number;
}

/** Proxies answer with whole pages; the beginning is enough. */
const maximumMessageLength = 400;

/** Reads the body of a failed answer. If it is not a Status (a proxy's page), its beginning is the message. */
export function statusOf(response: HttpResponse): Status {
  const parsed = z.safeParse(statusSchema(), parseJson(response.body));
  const status = parsed.success ? parsed.data : { message: response.body.trim(), reason: '' };
  const details = parsed.success ? parsed.data.details : undefined;
  const causes = details?.causes ?? [];
  const retryAfterSeconds = retryAfterOf(response) ?? details?.retryAfterSeconds;
  return {
    message: (status.message ?? '').slice(0, maximumMessageLength),
    reason: status.reason ?? '',
    causes: causes.map((cause) => cause.reason ?? ''),
    causeMessages: causes.map((cause) => cause.message ?? '').filter((message) => message !== ''),
    causeFields: causes.flatMap((cause) => cause.field ?? []),
    ...(retryAfterSeconds && { retryAfterSeconds }),
  };
}

/** Whether the API server itself has answered about this request: a proxy, and priority and fairness, answer with text. */
export const isStatus = ({ body }: HttpResponse): boolean => {
  const parsed = parseJson(body);
  return typeof parsed === 'object' && parsed !== null && 'kind' in parsed && parsed.kind === 'Status';
};

function retryAfterOf({ headers }: HttpResponse): number | undefined {
  const text = headers['retry-after'] ?? '';
  return /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}

const kinds: Readonly<Record<number, KubernetesErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'expired',
  429: 'throttled',
};

/** A patch with the UID of another object is answered with 422, because the UID is immutable; a PUT or a deletion with 409. */
const isOtherObject = (response: HttpResponse, { causeFields }: Status): boolean =>
  response.status === 422 && causeFields.includes('metadata.uid');

/** The error for a failed answer; `what` names the request, e.g. `GET /api/v1/nodes/a`. */
export function errorOf(what: string, response: HttpResponse): KubernetesError {
  const status = statusOf(response);
  const fallback = response.status >= 500 ? 'unavailable' : 'unexpected';
  const words = [response.status, status.reason, status.message].filter(Boolean).join(' ');
  const kind = isOtherObject(response, status) ? 'conflict' : (kinds[response.status] ?? fallback);
  return new KubernetesError(kind, `${what} answered ${words}`, {
    statusCode: response.status,
    ...(status.reason && { reason: status.reason }),
    ...(status.retryAfterSeconds && { retryAfterSeconds: status.retryAfterSeconds }),
  });
}

/** The kind of the answer; `unreachable` if there was none. */
export type KubernetesErrorKind =
  | 'unreachable'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'expired'
  | 'throttled'
  | 'unavailable'
  | 'unexpected';

const remedies: Readonly<Record<KubernetesErrorKind, string>> = {
  unreachable:
    'check that the address in the kubeconfig can be reached from here: routes, security groups, DNS, TLS',
  unauthorized: 'the API server does not accept the credentials of the kubeconfig: renew them',
  forbidden: 'the RBAC role of this user lacks the verb: compare it with the manifest in deploy/',
  'not-found': 'no object has that name',
  conflict: 'the object was changed at the same time: read it again',
  expired: 'the list expired while it was read: read it again',
  throttled: 'the API server throttles: try again later, or give this user a priority level of its own',
  unavailable: 'the API server or a proxy before it cannot answer now: try again later',
  unexpected: 'this is not an answer of an API server: check the address',
};

export interface KubernetesErrorDetails {
  readonly statusCode?: number;
  /** The reason of the API server, e.g. `Forbidden`. */
  readonly reason?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The Kubernetes API did not answer as expected. The message has the request, the answer and a remedy, and no credential. */
export class KubernetesError extends Error {
  override readonly name = 'KubernetesError';
  readonly kind: KubernetesErrorKind;
  readonly statusCode?: number;
  readonly reason?: string;
  readonly retryAfterSeconds?: number;

  constructor(kind: KubernetesErrorKind, what: string, details: KubernetesErrorDetails = {}) {
    super(`${what} (${remedies[kind]})`, { cause: details.cause });
    this.kind = kind;
    if (details.statusCode !== undefined) this.statusCode = details.statusCode;
    if (details.reason !== undefined) this.reason = details.reason;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

const isKind =
  (...kinds: readonly KubernetesErrorKind[]) =>
  (error: unknown): error is KubernetesError =>
    error instanceof KubernetesError && kinds.includes(error.kind);

export const isNotFound = isKind('not-found');
export const isUnauthorized = isKind('unauthorized');
export const isForbidden = isKind('forbidden');
export const isConflict = isKind('conflict');
export const isExpired = isKind('expired');
export const isThrottled = isKind('throttled');
/** No answer, or a server error: the request may have been executed. */
export const isUnavailable = isKind('unavailable', 'unreachable');
