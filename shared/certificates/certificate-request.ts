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

/** The prefix of the user name and the common name of a node. */
export const nodeUserPrefix = 'system:node:';

/** A Node's name is a DNS subdomain (Kubernetes, "Object names and IDs"). */
const nodeNamePattern =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/** The node that a common name or a user names; undefined for any other. */
export function nodeNameOf(user: string): string | undefined {
  if (!user.startsWith(nodeUserPrefix)) return undefined;
  const name = user.slice(nodeUserPrefix.length);
  return nodeNamePattern.test(name) ? name : undefined;
}
