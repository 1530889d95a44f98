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
