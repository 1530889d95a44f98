import type { Status, StatusCause } from 'kubernetes-types/meta/v1.d.ts';

/** A refusal of the API server, with the metav1.Status that its body is. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status & { readonly code: number };

  constructor(status: Status & { readonly code: number }) {
    super(status.message ?? '');
    this.status = status;
  }
}

interface Failure {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly resource?: { readonly group: string; readonly plural: string };
  /** For an answer about something without a kind. */
  readonly group?: string;
  readonly name?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
  readonly uid?: string;
  /** What the generic handlers refuse has details that say nothing. */
  readonly hasEmptyDetails?: true;
}

/** Builds a failure; details are left out where Kubernetes has none, unless it is one of those that say nothing. */
export function failure(parts: Failure): StatusError {
  const details = {
    ...(parts.name !== undefined && parts.name !== '' && { name: parts.name }),
    ...(parts.resource !== undefined && { kind: parts.resource.plural }),
    ...(parts.resource !== undefined && parts.resource.group !== '' && { group: parts.resource.group }),
    ...(parts.group !== undefined && { group: parts.group }),
    ...(parts.uid !== undefined && { uid: parts.uid }),
    ...(parts.causes !== undefined && { causes: [...parts.causes] }),
    ...(parts.retryAfterSeconds !== undefined &&
      parts.retryAfterSeconds > 0 && { retryAfterSeconds: parts.retryAfterSeconds }),
  };
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: parts.message,
    ...(parts.reason !== undefined && { reason: parts.reason }),
    ...((parts.hasEmptyDetails === true || Object.keys(details).length > 0) && { details }),
    code: parts.code,
  });
}
