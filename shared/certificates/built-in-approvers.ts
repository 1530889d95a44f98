import type { ClusterRole, ClusterRoleBinding, PolicyRule, Subject } from 'kubernetes-types/rbac/v1.d.ts';

/** What kube-controller-manager approves by itself for the subjects of a binding. */
export type ApprovedKind = 'nodeclient' | 'selfnodeclient';

/** The bindings with which kubeadm lets kube-controller-manager approve (kubeadm, "kubelet TLS bootstrap"). */
export const kubeadmApprovals = {
  nodeclient: {
    name: 'kubeadm:node-autoapprove-bootstrap',
    role: 'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    group: 'system:bootstrappers:kubeadm:default-node-token',
  },
  selfnodeclient: {
    name: 'kubeadm:node-autoapprove-certificate-rotation',
    role: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    group: 'system:nodes',
  },
} as const satisfies Record<ApprovedKind, object>;

/** The ClusterRoleBinding of one of them. */
export const kubeadmBinding = (kind: ApprovedKind) => {
  const { name, role, group } = kubeadmApprovals[kind];
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup, kind: 'Group', name: group }],
  } as const;
};

/** A ClusterRoleBinding by which certificates of kubelets are approved without Drover's checks. */
interface ApprovingBinding {
  readonly name: string;
  readonly why: string;
  /** Empty for OpenShift's approver. */
  readonly kinds: readonly ApprovedKind[];
  /** Its role permits more than approvals, as cluster-admin does: without the binding its subjects lose that too. */
  readonly isWider: boolean;
}

/** Whether the address is one of a control plane of EKS. Clusters for IPv6 have the second form (EKS user guide, "Cluster endpoint"). */
export const isEks = (server: string): boolean =>
  /\.eks\.amazonaws\.com(?:\.cn)?$|\.eks-cluster\.[\w-]+\.api\.(?:aws|amazonwebservices\.com\.cn)$/.test(
    new URL(server).hostname,
  );

/** The bindings by which kube-controller-manager, or OpenShift's approver, approves by itself. Pure. */
export function approvingBindings(
  roles: readonly ClusterRole[],
  bindings: readonly ClusterRoleBinding[],
): readonly ApprovingBinding[] {
  const rulesOf = new Map(roles.map(({ metadata, rules }) => [metadata?.name, rules ?? []]));
  return bindings.flatMap((binding) => {
    const found = reasonAgainst(binding, rulesOf.get(binding.roleRef.name) ?? []);
    return found ? [{ name: binding.metadata?.name ?? '', ...found }] : [];
  });
}

/** Why a binding with these rules approves without Drover; undefined if it does not. Pure. */
export function reasonAgainst(
  { subjects = [] }: ClusterRoleBinding,
  rules: readonly PolicyRule[],
): Omit<ApprovingBinding, 'name'> | undefined {
  if (subjects.map(inUsualForm).some(isAutoapprover))
    return { why: 'is that of OpenShift’s bootstrap-autoapprover', kinds: [], isWider: false };
  const asker = subjects.find(asksForNodes);
  const kinds = (['nodeclient', 'selfnodeclient'] as const).filter((kind) =>
    rules.some((rule) => mayCreate(rule, kind)),
  );
  if (!asker || kinds.length === 0) return undefined;
  const why = `lets kube-controller-manager approve requests of ${asker.kind} ${asker.name} (${kinds.join(', ')})`;
  return { why, kinds, isWider: !rules.every(isOfApprovals) };
}

const isOfApprovals = ({ apiGroups = [], resources = [] }: PolicyRule): boolean =>
  apiGroups.every((group) => group === 'certificates.k8s.io') &&
  resources.every((resource) => resource.startsWith('certificatesigningrequests'));

/** RBAC takes a ServiceAccount by the name of its user too (Kubernetes documentation, "Using RBAC Authorization", referring to subjects). */
export function inUsualForm(subject: Subject): Subject {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(subject.name) ?? [];
  return subject.kind === 'User' && namespace !== undefined && name !== undefined
    ? { kind: 'ServiceAccount', namespace, name }
    : subject;
}

/** openshift-ansible 3.11 binds it by the name of its user (`roles/openshift_bootstrap_autoapprover`). */
const isAutoapprover = ({ kind, name }: Subject): boolean =>
  kind === 'ServiceAccount' && name === 'bootstrap-autoapprover';

/** Bootstrappers, nodes, and groups that contain them. */
const asksForNodes = ({ name }: Subject): boolean =>
  /^system:(bootstrappers|bootstrap|node|nodes|authenticated|unauthenticated)(:|$)/.test(name) ||
  name === 'node-bootstrapper';

/** What kube-controller-manager asks by a SubjectAccessReview (pkg/controller/certificates/approver/sarapprove.go). */
const mayCreate = ({ apiGroups = [], resources = [], verbs }: PolicyRule, kind: ApprovedKind): boolean =>
  [apiGroups, resources, verbs].every(
    (given, place) => given.includes('*') || given.some((one) => accepted(kind)[place]?.includes(one)),
  );

const accepted = (kind: ApprovedKind): readonly (readonly string[])[] => [
  ['certificates.k8s.io'],
  [`certificatesigningrequests/${kind}`, `*/${kind}`],
  ['create'],
];
