import type { ClusterRole, ClusterRoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import {
  type ApprovedKind,
  approvingBindings,
  isEks,
  kubeadmApprovals,
  kubeadmBinding,
} from '../../shared/certificates/built-in-approvers.ts';
import { ownBinding } from '../../shared/certificates/other-approvers.ts';
import type { Api } from '../../shared/kubernetes/api.ts';
import { clusterRoleBindingSchema, clusterRoleSchema, listAll } from '../../shared/kubernetes/lists.ts';
import { isServed, signedRequests } from '../../shared/kubernetes/served-version.ts';
import { isConflict } from '../../shared/kubernetes/status.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';

export interface MissingApprovals {
  /** Kube-controller-manager can make these instead. */
  readonly kinds: readonly ApprovedKind[];
  /** OpenShift 3.11: kube-controller-manager cannot, because nodes ask as a ServiceAccount. */
  readonly isForAutoapprover: boolean;
}

/**
 * The approvals that only Drover makes: without them nodes lose their certificates within a year. None on EKS, whose control plane
 * approves, and in a cluster that has not allowed Drover to approve.
 */
export async function missingApprovals(api: Api, server: string): Promise<MissingApprovals> {
  const kinds = await missingKinds(api, server);
  const hasSigners = kinds.length === 0 || (await isServed(api, signedRequests));
  return { kinds: hasSigners ? kinds : [], isForAutoapprover: !hasSigners };
}

async function missingKinds(api: Api, server: string): Promise<readonly ApprovedKind[]> {
  if (isEks(server)) return [];
  const [roles, found] = await Promise.all([
    listAll(api, { path: `${rbac}/clusterroles`, schema: clusterRoleSchema }),
    listAll(api, { path: `${rbac}/clusterrolebindings`, schema: clusterRoleBindingSchema }),
  ]);
  return judgeMissing(roles, found);
}

/** Pure. */
function judgeMissing(
  roles: readonly ClusterRole[],
  found: readonly ClusterRoleBinding[],
): readonly ApprovedKind[] {
  if (!found.some(({ metadata }) => metadata?.name === ownBinding)) return [];
  const approving = approvingBindings(roles, found);
  // OpenShift's own approver decides about both.
  if (approving.some(({ kinds }) => kinds.length === 0)) return [];
  const approved = new Set(approving.flatMap(({ kinds }) => kinds));
  const kinds: readonly ApprovedKind[] = ['nodeclient', 'selfnodeclient'];
  return kinds.filter((kind) => !approved.has(kind));
}

/** Another run may bind it at the same time, and each of its changes lets one of ours fail. */
const mostAttempts = 4;

/**
 * Binds the approval again. A binding of that name for other subjects keeps them.
 *
 * @throws CliError if it binds another role, which cannot be changed.
 */
export async function bindApproval(api: Api, kind: ApprovedKind): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await bindOnce(api, kind);
    } catch (error) {
      if (!isConflict(error) || attempt >= mostAttempts) throw error;
    }
}

async function bindOnce(api: Api, kind: ApprovedKind): Promise<void> {
  const wanted = kubeadmBinding(kind);
  const { name } = wanted.metadata;
  const path = `${rbac}/clusterrolebindings`;
  const found = (await listAll(api, { path, schema: clusterRoleBindingSchema })).find(
    ({ metadata }) => metadata?.name === name,
  );
  if (found === undefined) {
    await api.call({ method: 'POST', path, body: wanted });
    return;
  }
  if (found.roleRef.name !== wanted.roleRef.name)
    throw new CliError(
      `ClusterRoleBinding ${name} binds the role ${found.roleRef.name}: delete it, or bind ${wanted.roleRef.name} to the group ${kubeadmApprovals[kind].group} under another name`,
      exitCodes.failed,
    );
  const subjects = found.subjects ?? [];
  const lacking = wanted.subjects.filter((one) =>
    subjects.every((other) => other.kind !== one.kind || other.name !== one.name),
  );
  if (lacking.length === 0) return;
  await api.call({
    method: 'PATCH',
    path: `${path}/${encodeURIComponent(name)}`,
    contentType: 'application/merge-patch+json',
    body: {
      metadata: { resourceVersion: found.metadata?.resourceVersion },
      subjects: [...subjects, ...lacking],
    },
  });
}
