import type { ClusterRole, ClusterRoleBinding, PolicyRule, Subject } from 'kubernetes-types/rbac/v1.d.ts';
import { approvingBindings, inUsualForm, reasonAgainst } from './built-in-approvers.ts';
import { signers } from './certificate-request.ts';

/** What approves certificates of kubelets besides Drover, as RBAC shows it. */
export interface Approvals {
  /** Whether the cluster has allowed Drover to approve. Otherwise no approval was handed over to it. */
  readonly drover: boolean;
  /** Whether something approves the next client certificate of every Node. */
  readonly client: boolean;
  /** The Nodes for which kube-controller-manager does so by a binding of their own users. */
  readonly clientOf: ReadonlySet<string>;
  /** Serving certificates: never kube-controller-manager (kubernetes/kubernetes#73356). */
  readonly serving: boolean;
}

/** The control plane of EKS decides for every Node with an access entry, and Drover is not asked (EKS user guide, "Access entries"). */
export const approvalsOfEks: Approvals = { drover: false, client: true, clientOf: new Set(), serving: true };

/** The binding of deploy/rbac.yaml with which Drover approves. */
export const ownBinding = 'drover-certificates';

/** Users and groups count as operators, who approve by hand; ServiceAccounts are programs. Pure. */
export function approvalsIn(
  roles: readonly ClusterRole[],
  bindings: readonly ClusterRoleBinding[],
): Approvals {
  const rulesOf = new Map(roles.map(({ metadata, rules }) => [metadata?.name, rules ?? []]));
  const openShift = approvingBindings(roles, bindings).some(({ kinds }) => kinds.length === 0);
  const renewed = bindings.flatMap((binding) => {
    const found = reasonAgainst(binding, rulesOf.get(binding.roleRef.name) ?? []);
    return found && found.kinds.length > 0 ? (binding.subjects ?? []) : [];
  });
  const approves = (signer: string): boolean =>
    openShift ||
    bindings.some((binding) =>
      approversOf(binding, rulesOf.get(binding.roleRef.name) ?? [], [signer]).some(isProgram),
    );
  return {
    drover: bindings.some(({ metadata }) => metadata?.name === ownBinding),
    client: renewed.some(isEveryNode) || approves(signers.client),
    clientOf: new Set(renewed.flatMap(nodeOfUser)),
    serving: approves(signers.serving),
  };
}

/** Bootstrappers are not among them: their requests are those of new nodes. */
const isEveryNode = ({ kind, name }: Subject): boolean =>
  kind === 'Group' && (name === 'system:nodes' || name === 'system:authenticated');

const userPrefix = 'system:node:';

const nodeOfUser = ({ kind, name }: Subject): readonly string[] =>
  kind === 'User' && name.startsWith(userPrefix) ? [name.slice(userPrefix.length)] : [];

/** The signers of kubelets. */
const kubeletSigners: readonly string[] = Object.values(signers);

/** Who may approve for one of these signers, besides Drover, the signer of kube-controller-manager, and administrators who may do everything. Pure. */
export const approversOf = (
  { subjects = [] }: ClusterRoleBinding,
  rules: readonly PolicyRule[],
  forSigners: readonly string[] = kubeletSigners,
): readonly Subject[] =>
  rules.some((rule) => mayApprove(rule, forSigners) && !mayDoAll(rule))
    ? subjects.map(inUsualForm).filter((subject) => !isExpected(subject))
    : [];

const isProgram = ({ kind, name }: Subject): boolean =>
  kind === 'ServiceAccount' || (kind === 'Group' && /^system:serviceaccounts(:|$)/.test(name));

/** The identities of `deploy/rbac.yaml`, and the signer of kube-controller-manager, which approves nothing without the bindings of built-in approvers. */
const isExpected = ({ kind, name, namespace }: Subject): boolean =>
  (kind === 'Group' && (name === 'drover' || name === 'drover:certificates')) ||
  (kind === 'ServiceAccount' &&
    namespace === 'kube-system' &&
    (name === 'drover' || name === 'certificate-controller'));

/** By name, or with all others of kubernetes.io (Kubernetes documentation, "Certificate Signing Requests", authorization). */
const mayApprove = (
  { apiGroups = [], resources = [], resourceNames = [], verbs }: PolicyRule,
  forSigners: readonly string[],
): boolean =>
  haveCommon(verbs, ['*', 'approve']) &&
  haveCommon(apiGroups, ['*', 'certificates.k8s.io']) &&
  haveCommon(resources, ['*', 'signers']) &&
  (resourceNames.length === 0 || haveCommon(resourceNames, [...forSigners, 'kubernetes.io/*']));

/** A rule such as that of cluster-admin. */
const mayDoAll = ({ apiGroups = [], resources = [], resourceNames = [], verbs }: PolicyRule): boolean =>
  [apiGroups, resources, verbs].every((given) => given.includes('*')) && resourceNames.length === 0;

const haveCommon = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.includes(one));
