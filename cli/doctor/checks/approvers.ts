import type { ClusterRole, ClusterRoleBinding, Subject } from 'kubernetes-types/rbac/v1.d.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { approvingBindings, isEks, reasonAgainst } from '../../../shared/certificates/built-in-approvers.ts';
import { approversOf } from '../../../shared/certificates/other-approvers.ts';
import { clusterRoleBindingSchema, clusterRoleSchema, listAll } from '../../../shared/kubernetes/lists.ts';
import { instanceIdOf, nameOfNode } from '../../../shared/nodes/node-names.ts';
import { rulesNamed } from '../../deployments/rules-named.ts';
import { checkOf, type Finding } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';

interface ObservedApprovers {
  readonly server: string;
  /** Whether the deployment has the function certificate-requests. */
  readonly isDeployed: boolean;
  /** The Nodes outside managed groups: Drover does not decide their requests. */
  readonly otherNodes: readonly string[];
  readonly roles: readonly ClusterRole[];
  readonly bindings: readonly ClusterRoleBinding[];
}

/** What approves certificate requests of kubelets besides Drover: with such a binding none of Drover's checks counts. */
export const approvers = checkOf({ name: 'approvers', read, judge: judgeApprovers });

async function read({
  api,
  cluster,
  connections,
  events,
  managedGroups,
  stage,
}: DoctorContext): Promise<ObservedApprovers> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const [{ server }, name, roles, bindings, nodes] = await Promise.all([
    connections.connect(),
    stage(),
    listAll(api, { path: `${rbac}/clusterroles`, schema: clusterRoleSchema }),
    listAll(api, { path: `${rbac}/clusterrolebindings`, schema: clusterRoleBindingSchema }),
    cluster.listNodes(),
  ]);
  const rule = `drover-${name}-certificate-requests`;
  const rules = await rulesNamed(events, rule);
  const groups = await managedGroups();
  const managed = new Set(groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
  const otherNodes = nodes
    .filter(({ spec }) => !managed.has(instanceIdOf(spec?.providerID) ?? ''))
    .map((node) => nameOfNode(node));
  return { server, isDeployed: rules.some(({ Name }) => Name === rule), otherNodes, roles, bindings };
}

/** Pure. */
export function judgeApprovers({
  server,
  isDeployed,
  otherNodes,
  roles,
  bindings,
}: ObservedApprovers): readonly Finding[] {
  if (isEks(server)) return [judgeEks(isDeployed)];
  const rulesOf = new Map(roles.map(({ metadata, rules }) => [metadata?.name, rules ?? []]));
  const all = bindings.flatMap((binding) => {
    const rules = rulesOf.get(binding.roleRef.name) ?? [];
    const found = reasonAgainst(binding, rules);
    return found
      ? [bindingFinding(binding, { why: found.why, isDeployed, otherNodes })]
      : approversOf(binding, rules).map((subject) => approverFinding(binding, { subject, isDeployed }));
  });
  const approving = approvingBindings(roles, bindings);
  if (all.some(({ verdict }) => verdict === 'fix') || approving.length > 0 || (all.length > 0 && !isDeployed))
    return all;
  return [
    ...all,
    isDeployed
      ? {
          verdict: 'ok',
          subject: 'certificate-requests',
          message:
            all.length > 0
              ? 'no binding lets a program approve certificates of nodes'
              : 'nothing else approves certificates of nodes by itself',
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
  {
    why,
    isDeployed,
    otherNodes,
  }: Pick<ObservedApprovers, 'isDeployed' | 'otherNodes'> & { readonly why: string },
): Finding {
  const name = metadata?.name ?? '';
  if (!isDeployed)
    return {
      verdict: 'advice',
      subject: name,
      message: `this ClusterRoleBinding ${why}: it approves certificates while certificate-requests is off. Delete it before you turn that on`,
    };
  // Without it the kubelets of other nodes could not renew their certificates.
  if (otherNodes.length > 0)
    return {
      verdict: 'advice',
      subject: name,
      message: `this ClusterRoleBinding ${why}, so certificates are approved without Drover's checks. It stays until every Node is in a managed group: ${otherNodes.length} are not (${otherNodes.slice(0, 3).join(', ')}${otherNodes.length > 3 ? ', ...' : ''}). Adopt their groups; drover adopt GROUP --exempt NODE hands over if you approve their certificates by hand`,
    };
  return {
    verdict: 'fix',
    subject: name,
    message: `this ClusterRoleBinding ${why}, so certificates are approved without Drover's checks`,
    command: `kubectl delete clusterrolebinding ${shellWord(name)}`,
  };
}

/** A ServiceAccount is a program, which approves by itself; users and groups may be operators, who approve by hand. */
function approverFinding(
  { metadata }: ClusterRoleBinding,
  {
    subject: { kind, name, namespace },
    isDeployed,
  }: { readonly subject: Subject; readonly isDeployed: boolean },
): Finding {
  const binding = metadata?.name ?? '';
  const who = `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
  const message = `this ClusterRoleBinding lets ${who} approve certificates of kubelets (verb approve)`;
  if (kind !== 'ServiceAccount' || !isDeployed)
    return { verdict: 'advice', subject: binding, message: `${message}, so it can make itself any Node` };
  return {
    verdict: 'fix',
    subject: binding,
    message: `${message}, without Drover's checks`,
    command: `kubectl delete clusterrolebinding ${shellWord(binding)}`,
  };
}
