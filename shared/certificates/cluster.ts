import type { DrainCluster } from '../nodes/cluster.ts';
import type { CertificateRequest } from './certificate-request.ts';

/** What is written to the condition of a request. */
export interface Approval {
  readonly type: 'Approved' | 'Denied';
  /** CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** The certificate requests of a cluster. Methods reject with a KubernetesError when the API server does not answer as expected. */
export interface RequestCalls {
  /** Every request of both signers, decided ones included. Reads anew. */
  listRequests(): Promise<readonly CertificateRequest[]>;
  /** Writes only to the request as it was read: `changed-meanwhile` where it is gone, or another approver was faster. */
  approveOrDeny(request: CertificateRequest, approval: Approval): Promise<'written' | 'changed-meanwhile'>;
}

export interface CertificateCluster extends RequestCalls, Pick<DrainCluster, 'getNode'> {}
