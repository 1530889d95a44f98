import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import { signers } from '../../shared/certificates/certificate-request.ts';
import { readRequest } from '../../shared/certificates/read-request.ts';

/** A certificate request of a kubelet. */
export interface RequestView {
  readonly name: string;
  readonly requester: string;
  readonly kind: 'client' | 'serving';
  /** The node that the certificate is for, as the request has it. */
  readonly nodeName: string;
  /** Absent while it is pending. */
  readonly decision?: { readonly type: string; readonly reason: string; readonly message: string };
}

/** Oldest first, which an API server's list is not: it has the order of the names. */
export const requestsInOrder = (requests: readonly CertificateSigningRequest[]): readonly RequestView[] =>
  requests
    .toSorted((one, other) =>
      (one.metadata?.creationTimestamp ?? '').localeCompare(other.metadata?.creationTimestamp ?? ''),
    )
    .map(requestView);

export function requestView({ metadata, spec, status }: CertificateSigningRequest): RequestView {
  const reading = readRequest(Buffer.from(spec.request, 'base64').toString());
  const [condition] = status?.conditions ?? [];
  return {
    name: metadata?.name ?? '',
    requester: spec.username ?? '',
    kind: spec.signerName === signers.serving ? 'serving' : 'client',
    nodeName: reading.kind === 'read' ? reading.request.commonName.replace('system:node:', '') : '',
    ...(condition && {
      decision: { type: condition.type, reason: condition.reason ?? '', message: condition.message ?? '' },
    }),
  };
}
