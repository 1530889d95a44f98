import type { ClusterRole, ClusterRoleBinding, PolicyRule, Subject } from 'kubernetes-types/rbac/v1.d.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { clusterRoleBindingSchema, clusterRoleSchema, listAll } from '../../../shared/kubernetes/lists.ts';
import { checkOf, type Finding } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';
import { rulesNamed } from '../rules-named.ts';

interface ObservedApprovers {
  readonly server: string;
  /** Whether the deployment has the function certificate-requests. */
  readonly isDeployed: boolean;
  readonly roles: readonly ClusterRole[];
  readonly bindings: readonly ClusterRoleBinding[];
}

/** What approves certificate requests of kubelets besides Drover: with such a binding none of Drover's checks counts. */
export const approvers = checkOf({ name: 'approvers', read, judge: judgeApprovers });

async function read({ api, connections, events, stage }: DoctorContext): Promise<ObservedApprovers> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const [{ server }, name, roles, bindings] = await Promise.all([
    connections.connect(),
    stage(),
    listAll(api, { path: `${rbac}/clusterroles`, schema: clusterRoleSchema }),
    listAll(api, { path: `${rbac}/clusterrolebindings`, schema: clusterRoleBindingSchema }),
  ]);
  const rule = `drover-${name}-certificate-requests`;
  const rules = await rulesNamed(events, rule);
  return { server, isDeployed: rules.some(({ Name }) => Name === rule), roles, bindings };
}

/** Whether the address is one of a control plane of EKS. */
export const isEks = (server: string): boolean =>
  /\.eks\.amazonaws\.com(\.cn)?$/.test(new URL(server).hostname);

/** Pure. */
export function judgeApprovers({
  server,
  isDeployed,
  roles,
  bindings,
}: ObservedApprovers): readonly Finding[] {
  if (isEks(server)) return [judgeEks(isDeployed)];
  const rulesOf = new Map(roles.map(({ metadata, rules }) => [metadata?.name, rules ?? []]));
  const problems = bindings.flatMap((binding) => {
    const why = reasonAgainst(binding, rulesOf.get(binding.roleRef.name) ?? []);
    return why ? [bindingFinding(binding, { why, isDeployed })] : [];
  });
  if (problems.length > 0) return problems;
  return [
    isDeployed
      ? {
          verdict: 'ok',
          subject: 'certificate-requests',
          message: 'nothing else approves certificates of nodes by itself',
        }
      : {
          verdict: 'advice',
          subject: 'certificate-requests',
          message:
            'it is not deployed, so every certificate needs manual approval: set certificates: on in deploy/stages/STAGE.yml',
        },
  ];
}

const judgeEks = (isDeployed: boolean): Finding => ({
  subject: 'certificate-requests',
  ...(isDeployed
    ? {
        verdict: 'fix',
        message:
          'this is EKS, whose control plane approves and signs by itself: set certificates: off in deploy/stages/STAGE.yml',
      }
    : {
        verdict: 'ok',
        message: 'it is off: the control plane of EKS approves and signs the certificates of nodes by itself',
      }),
});

function bindingFinding(
  { metadata }: ClusterRoleBinding,
  { why, isDeployed }: { readonly why: string; readonly isDeployed: boolean },
): Finding {
  const name = metadata?.name ?? '';
  if (!isDeployed)
    return {
      verdict: 'advice',
      subject: name,
      message: `this ClusterRoleBinding ${why}: it approves certificates while certificate-requests is off. Delete it before you turn that on`,
    };
  return {
    verdict: 'fix',
    subject: name,
    message: `this ClusterRoleBinding ${why}, so certificates are approved without Drover's checks`,
    command: `kubectl delete clusterrolebinding ${shellWord(name)}`,
  };
}

function reasonAgainst(
  { subjects = [] }: ClusterRoleBinding,
  rules: readonly PolicyRule[],
): string | undefined {
  if (subjects.some(isAutoapprover)) return 'is that of OpenShift’s bootstrap-autoapprover';
  const asker = subjects.find(asksForNodes);
  const grants = ['nodeclient', 'selfnodeclient'].filter((kind) =>
    rules.some((rule) => mayCreate(rule, kind)),
  );
  return asker && grants.length > 0
    ? `lets kube-controller-manager approve requests of ${asker.kind} ${asker.name} (${grants.join(', ')})`
    : undefined;
}

const isAutoapprover = ({ kind, name }: Subject): boolean =>
  kind === 'ServiceAccount' && name === 'bootstrap-autoapprover';

/** Bootstrappers, nodes, and groups that contain them. */
const asksForNodes = ({ name }: Subject): boolean =>
  /^system:(bootstrappers|bootstrap|node|nodes|authenticated|unauthenticated)(:|$)/.test(name) ||
  name === 'node-bootstrapper';

/** What kube-controller-manager asks by a SubjectAccessReview (pkg/controller/certificates/approver/sarapprove.go). */
const mayCreate = ({ apiGroups = [], resources = [], verbs }: PolicyRule, kind: string): boolean =>
  [apiGroups, resources, verbs].every(
    (given, place) => given.includes('*') || given.some((one) => accepted(kind)[place]?.includes(one)),
  );

const accepted = (kind: string): readonly (readonly string[])[] => [
  ['certificates.k8s.io'],
  [`certificatesigningrequests/${kind}`, `*/${kind}`],
  ['create'],
];
