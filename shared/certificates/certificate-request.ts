import type { DrainCluster } from '../nodes/cluster.ts';

/** The two signers of kubelets (Kubernetes, "Certificate Signing Requests", "Kubernetes signers"). */
export const signers = {
  client: 'kubernetes.io/kube-apiserver-client-kubelet',
  serving: 'kubernetes.io/kubelet-serving',
} as const;

interface RequestCondition {
  /** `Approved`, `Denied` or `Failed`. */
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The part of a CertificateSigningRequest that a decision reads. The API server itself writes the fields of the requester. */
export interface CertificateRequest {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly signerName: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
  readonly usages: readonly string[];
  /** Undefined if the requester leaves the lifetime to the signer, as kubelets usually do. */
  readonly expirationSeconds?: number | undefined;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly conditions: readonly RequestCondition[];
  /** The PEM text of `spec.request`. */
  readonly pem: string;
}

const decisions: ReadonlySet<string> = new Set(['Approved', 'Denied', 'Failed']);

/** The condition that decided a request; undefined while it is pending. */
export const decisionOn = ({
  conditions,
}: Pick<CertificateRequest, 'conditions'>): RequestCondition | undefined =>
  conditions.find(({ type }) => decisions.has(type));

export const isPending = (request: Pick<CertificateRequest, 'conditions'>): boolean =>
  decisionOn(request) === undefined;

/** The time of its approval, in epoch milliseconds. Undefined for a request that is pending, denied or failed. */
export function approvedAt({ conditions }: Pick<CertificateRequest, 'conditions'>): number | undefined {
  if (conditions.some(({ type }) => type === 'Denied' || type === 'Failed')) return undefined;
  return conditions.find(({ type }) => type === 'Approved')?.at;
}

/** What is written to the condition of a request. */
export interface Approval {
  readonly type: 'Approved' | 'Denied';
  /** CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** The certificate requests of a cluster. Methods reject with a KubernetesError when the API server does not answer as expected. */
export interface RequestCalls {
  /** Every request of both signers, including decided ones. Never cached. */
  listRequests(): Promise<readonly CertificateRequest[]>;
  /** Writes only to the request as it was read: `changed-meanwhile` if it is gone, or another approver was faster. */
  approveOrDeny(request: CertificateRequest, approval: Approval): Promise<'written' | 'changed-meanwhile'>;
}

export interface CertificateCluster extends RequestCalls, Pick<DrainCluster, 'getNode'> {}
