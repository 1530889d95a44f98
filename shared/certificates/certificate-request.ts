import { instanceIdSource } from '../base/instance-id.ts';
import type { Role } from '../groups/group.ts';

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

/** What an update of an object removes if it does not repeat it. */
export interface KeptMetadata {
  readonly labels?: Readonly<Record<string, string>> | null | undefined;
  readonly annotations?: Readonly<Record<string, string>> | null | undefined;
}

/** The part of a CertificateSigningRequest that a decision reads. The API server itself writes the fields of the requester. */
export interface CertificateRequest {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Of a server without signers the one that its usages name. */
  readonly signerName: string;
  /** Of a server without signers, such as Kubernetes 1.11 of OpenShift 3.11: the metadata that an approval must repeat. */
  readonly withoutSigner?: KeptMetadata | undefined;
  readonly username: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
  readonly usages: readonly string[];
  /** Undefined if the requester leaves the lifetime to the signer, as kubelets usually do. */
  readonly expirationSeconds?: number | undefined;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly conditions: readonly RequestCondition[];
  /** Why no approver decides it any more, although no condition says so; undefined for most. */
  readonly over?: 'it is being deleted' | 'its certificate is issued' | undefined;
  /** The PEM text of `spec.request`. */
  readonly pem: string;
}

const decisions: ReadonlySet<string> = new Set(['Approved', 'Denied', 'Failed']);

/** The condition that decided a request; undefined if none did. */
export const decisionOn = ({
  conditions,
}: Pick<CertificateRequest, 'conditions'>): RequestCondition | undefined =>
  conditions.find(({ type }) => decisions.has(type));

export const isPending = (request: Pick<CertificateRequest, 'conditions' | 'over'>): boolean =>
  decisionOn(request) === undefined && request.over === undefined;

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

/**
 * What the credential of a request proves:
 * - `node`: it is the certificate of this node;
 * - `token`: it is a bootstrap credential that all instances of these roles share;
 * - `instance`: it is the credential of this one instance.
 */
export type Requester =
  | { readonly kind: 'node'; readonly nodeName: string }
  | { readonly kind: 'token'; readonly roles: readonly Role[] }
  | { readonly kind: 'instance'; readonly instanceId: string; readonly roles: readonly Role[] };

/** What identifies the instance in `spec.extra` (an IAM or JWT identity). */
export const instanceIdExtra = 'drover.dev/instance-id';

const roleGroupPattern = /^system:bootstrappers:drover:(worker|control-plane|etcd)$/;
const tokenUserPattern = /^system:bootstrap:[a-z0-9]{6}$/;
const instanceUserPattern = new RegExp(`^drover:instance:(${instanceIdSource})$`);

type RequesterFields = Pick<CertificateRequest, 'username' | 'groups' | 'extra' | 'withoutSigner'>;

/**
 * The credential that all new nodes of OpenShift 3.11 share (openshift-ansible, `roles/openshift_bootstrap_autoapprover`). On a server with signers
 * the account is that of another program.
 */
const isNodeBootstrapper = ({ username, groups, withoutSigner }: RequesterFields): boolean =>
  withoutSigner !== undefined &&
  username === 'system:serviceaccount:openshift-infra:node-bootstrapper' &&
  groups.includes('system:serviceaccounts:openshift-infra');

/** Undefined for a user that Drover does not judge. */
export function requesterOf(request: RequesterFields): Requester | undefined {
  const { username, groups, extra } = request;
  const nodeName = nodeNameOf(username);
  if (nodeName !== undefined) return groups.includes('system:nodes') ? { kind: 'node', nodeName } : undefined;
  if (isNodeBootstrapper(request)) return { kind: 'token', roles: ['worker'] };
  const roles = rolesOf(groups);
  if (roles.length === 0) return undefined;
  if (tokenUserPattern.test(username))
    return groups.includes('system:bootstrappers') ? { kind: 'token', roles } : undefined;
  const instanceId = instanceUserPattern.exec(username)?.[1];
  const claimed = extra[instanceIdExtra] ?? [];
  return instanceId !== undefined && claimed.length === 1 && claimed[0] === instanceId
    ? { kind: 'instance', instanceId, roles }
    : undefined;
}

const rolesOf = (groups: readonly string[]): readonly Role[] =>
  groups.flatMap((group) => (roleGroupPattern.exec(group)?.[1] as Role | undefined) ?? []);
