import type { ClusterRole, ClusterRoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import type { Api } from '../../shared/kubernetes/api.ts';
import { clusterRoleBindingSchema, clusterRoleSchema, listAll } from '../../shared/kubernetes/lists.ts';
import { approvingBindings, isEks } from '../approvers/built-in.ts';

/** The approvals of kube-controller-manager: of the first certificate of a node, and of its renewals. */
export type ApprovalKind = 'nodeclient' | 'selfnodeclient';

/** The ClusterRoleBindings of kubeadm, which the quick start removes (kubeadm, "kubelet TLS bootstrap"). */
const bindings = {
  nodeclient: {
    name: 'kubeadm:node-autoapprove-bootstrap',
    group: 'system:bootstrappers:kubeadm:default-node-token',
  },
  selfnodeclient: { name: 'kubeadm:node-autoapprove-certificate-rotation', group: 'system:nodes' },
} as const satisfies Record<ApprovalKind, { readonly name: string; readonly group: string }>;

export const bindingOf = (kind: ApprovalKind): { readonly name: string; readonly group: string } =>
  bindings[kind];

const rbac = '/apis/rbac.authorization.k8s.io/v1';

/**
 * The approvals that only Drover makes: without them nodes lose their certificates within a year. Empty on EKS, whose control plane
 * approves, and in a cluster that has not allowed Drover to approve.
 */
export async function missingApprovals(api: Api, server: string): Promise<readonly ApprovalKind[]> {
  if (isEks(server)) return [];
  const [roles, found] = await Promise.all([
    listAll(api, { path: `${rbac}/clusterroles`, schema: clusterRoleSchema }),
    listAll(api, { path: `${rbac}/clusterrolebindings`, schema: clusterRoleBindingSchema }),
  ]);
  return judgeMissing(roles, found);
}

/** The binding of deploy/rbac.yaml with which Drover approves. */
const ownBinding = 'drover-certificates';

/** Pure. */
function judgeMissing(
  roles: readonly ClusterRole[],
  found: readonly ClusterRoleBinding[],
): readonly ApprovalKind[] {
  if (!found.some(({ metadata }) => metadata?.name === ownBinding)) return [];
  const approving = approvingBindings(roles, found);
  // OpenShift's own approver decides about both.
  if (approving.some(({ kinds }) => kinds.length === 0)) return [];
  const approved = new Set(approving.flatMap(({ kinds }) => kinds));
  const kinds: readonly ApprovalKind[] = ['nodeclient', 'selfnodeclient'];
  return kinds.filter((kind) => !approved.has(kind));
}

/** Binds the approval again. */
export async function bindApproval(api: Api, kind: ApprovalKind): Promise<void> {
  const { name, group } = bindings[kind];
  const roleRef = {
    apiGroup: 'rbac.authorization.k8s.io',
    kind: 'ClusterRole',
    name: `system:certificates.k8s.io:certificatesigningrequests:${kind}`,
  };
  const body = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef,
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
  };
  await api.call({ method: 'POST', path: `${rbac}/clusterrolebindings`, body });
}
