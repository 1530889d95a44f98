/** What kind of answer it was, or that there was none. */
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
  unauthorized: 'the credentials of the kubeconfig are not (or no longer) accepted: renew them',
  forbidden: 'the RBAC role of this user lacks the verb: compare it with the manifest in deploy/',
  'not-found': 'nothing is there under that name',
  conflict: 'somebody else changed the object at the same time: look again',
  expired: 'the list changed too much while it was read: read it again',
  throttled:
    'the API server asks for fewer requests: try again later, or give this user a priority level of its own',
  unavailable: 'the API server or what stands before it cannot answer now: try again later',
  unexpected: 'this is no answer that an API server gives: check that the address is one',
};

export interface KubernetesErrorDetails {
  readonly statusCode?: number;
  /** The API server's own words, e.g. `Forbidden`. */
  readonly reason?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The Kubernetes API did not answer as expected. Says what was asked, what came, and what helps; never a credential. */
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
/** No answer, or one of a server that cannot: nothing is known about what was asked for. */
export const isUnavailable = isKind('unavailable', 'unreachable');
