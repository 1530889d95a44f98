import type { ClusterRole, ClusterRoleBinding, PolicyRule, Subject } from 'kubernetes-types/rbac/v1.d.ts';

/** What kube-controller-manager approves by itself for the subjects of a binding. */
type ApprovedKind = 'nodeclient' | 'selfnodeclient';

/** A ClusterRoleBinding by which certificates of kubelets are approved without Drover's checks. */
interface ApprovingBinding {
  readonly name: string;
  readonly why: string;
  /** Empty for OpenShift's approver. */
  readonly kinds: readonly ApprovedKind[];
}

/** Whether the address is one of a control plane of EKS. */
export const isEks = (server: string): boolean =>
  /\.eks\.amazonaws\.com(\.cn)?$/.test(new URL(server).hostname);

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
  if (subjects.some(isAutoapprover))
    return { why: 'is that of OpenShift’s bootstrap-autoapprover', kinds: [] };
  const asker = subjects.find(asksForNodes);
  const kinds = (['nodeclient', 'selfnodeclient'] as const).filter((kind) =>
    rules.some((rule) => mayCreate(rule, kind)),
  );
  if (!asker || kinds.length === 0) return undefined;
  const why = `lets kube-controller-manager approve requests of ${asker.kind} ${asker.name} (${kinds.join(', ')})`;
  return { why, kinds };
}

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
