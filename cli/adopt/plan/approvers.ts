import { shellWord } from '../../../shared/base/shell-words.ts';
import {
  approvingBindings,
  kubeadmApprovals,
  kubeadmBinding,
} from '../../../shared/certificates/built-in-approvers.ts';
import { certificatesAnnotation, certificatesByHand } from '../../../shared/nodes/node-keys.ts';
import type { Feature, Observation, ObservedNode, Wishes } from './observation.ts';
import type { Plan, Step } from './step.ts';

type Judged = Pick<
  Observation,
  'clusterRoles' | 'clusterRoleBindings' | 'nodes' | 'managedInstanceIds' | 'eks' | 'isKubeadm'
> & { readonly features: ReadonlySet<Feature> };

const renewals = kubeadmApprovals.selfnodeclient;

/**
 * Hands the approval of certificates over once Drover decides for every Node. Until then the built-in approver stays bound: Drover leaves
 * the requests of other nodes alone, and without an approver their kubelets lose their certificates, within a year. Pure.
 */
export function planApprovers(judged: Judged, { exemptNodes }: Pick<Wishes, 'exemptNodes'>): Partial<Plan> {
  const { features, eks, nodes, managedInstanceIds, clusterRoles, clusterRoleBindings } = judged;
  if (eks !== undefined || !features.has('certificates')) return {};
  const bindings = approvingBindings(clusterRoles, clusterRoleBindings);
  const isManaged = ({ instanceId }: ObservedNode): boolean =>
    instanceId !== undefined && managedInstanceIds.has(instanceId);
  const [managed, outside] = [nodes.filter(isManaged), nodes.filter((node) => !isManaged(node))];
  const isExempt = ({ name, certificates }: ObservedNode): boolean =>
    exemptNodes.has(name) || certificates === certificatesByHand;
  const others = outside.filter((node) => !isExempt(node));
  const exempt = outside.filter(isExempt);
  const records = [
    ...exempt.filter(({ certificates }) => certificates !== certificatesByHand).map(exemption),
    ...managed.filter(({ certificates }) => certificates !== undefined).map(endOfExemption),
  ];
  const known = new Set(nodes.map(({ name }) => name));
  const mistyped = [...exemptNodes]
    .filter((name) => !known.has(name))
    .map((name) => `--exempt ${name}: the cluster has no such Node`);
  if (others.length === 0)
    return {
      steps: [
        ...records,
        ...bindings.filter(({ isWider }) => !isWider).map(({ name, why }) => removal(name, why, exempt)),
      ],
      notices: [
        ...mistyped,
        ...bindings
          .filter(({ isWider }) => isWider)
          .map(
            ({ name, why }) =>
              `ClusterRoleBinding ${name} ${why}, and permits more than that: narrow it by hand, or certificates are approved without the checks of Drover`,
          ),
      ],
    };
  const renews = bindings.some(({ kinds }) => kinds.includes('selfnodeclient') || kinds.length === 0);
  return {
    steps: [...records, ...(judged.isKubeadm && !renews ? [restoration(others)] : [])],
    notices: [
      ...mistyped,
      ...bindings.map(
        ({ name }) =>
          `${name} stays bound until every Node is in a managed group. Not yet: ${namesOf(others)}. Adopt their groups, or give --exempt NODE for nodes whose certificates you approve by hand`,
      ),
    ],
  };
}

/** Recorded on the Node, so that others see later why nothing approves its certificates. */
const exemption = ({ name, certificates }: ObservedNode): Step => ({
  id: `exempt/${name}`,
  group: null,
  subject: `Node ${name}`,
  is:
    certificates === undefined
      ? 'it is in no managed group, and nothing shows that you approve its certificates by hand'
      : `its annotation ${certificatesAnnotation}=${certificates} exempts it from nothing`,
  shall: `${certificatesAnnotation}=${certificatesByHand}`,
  actions: [{ kind: 'annotate-node', name, key: certificatesAnnotation, value: certificatesByHand }],
  risk: 'only you approve its certificates once no other approver is bound: drover status names a request that waits for you',
  reversal: `kubectl annotate node ${shellWord(name)} ${certificatesAnnotation}-`,
});

const endOfExemption = ({ name, certificates }: ObservedNode): Step => ({
  id: `exempt/${name}`,
  group: null,
  subject: `Node ${name}`,
  is: `it has ${certificatesAnnotation}=${certificates}, and is in a managed group: Drover approves its certificates`,
  shall: `no annotation ${certificatesAnnotation}`,
  actions: [{ kind: 'annotate-node', name, key: certificatesAnnotation, value: null }],
  risk: 'none',
  reversal: `kubectl annotate node ${shellWord(name)} ${certificatesAnnotation}=${shellWord(certificates ?? '')}`,
});

const removal = (name: string, why: string, exempt: readonly ObservedNode[]): Step => ({
  id: `approver/${name}`,
  group: null,
  subject: `ClusterRoleBinding ${name}`,
  is: `it ${why}, so certificates are approved without the checks of Drover`,
  shall: 'no such binding: every Node is in a managed group, and Drover decides',
  actions: [{ kind: 'delete-binding', name }],
  risk:
    exempt.length > 0
      ? `only you approve for ${namesOf(exempt)}: drover csr list shows their requests, and a kubelet without a certificate is NotReady`
      : 'a node that joins outside managed groups from now on gets no certificate until you approve it (drover csr list)',
  reversal: reversalOf(name),
});

/** kubeadm's own bindings are known; of others only the operator has the manifest. */
function reversalOf(name: string): string {
  const own = Object.values(kubeadmApprovals).find((one) => one.name === name);
  if (own !== undefined)
    return `kubectl create clusterrolebinding ${shellWord(name)} --group ${own.group} --clusterrole ${own.role}`;
  return `kubectl get clusterrolebinding ${shellWord(name)} -o yaml > binding.yaml before, kubectl create -f binding.yaml after`;
}

const restoration = (others: readonly ObservedNode[]): Step => ({
  id: `approver/${renewals.name}`,
  group: null,
  subject: `ClusterRoleBinding ${renewals.name}`,
  is: `nothing renews the certificates of ${namesOf(others)}: Drover decides only for managed groups, and kubeadm’s own approval is gone`,
  shall: 'kubeadm’s approval of renewals, until every Node is in a managed group',
  actions: [{ kind: 'apply', object: kubeadmBinding('selfnodeclient') }],
  risk: 'kube-controller-manager approves renewals of all nodes again, without the checks of Drover; --exempt NODE avoids that if you approve by hand',
  reversal: `kubectl delete clusterrolebinding ${renewals.name}`,
});

const mostNames = 5;

/** Control planes first: they are what people forget. */
function namesOf(nodes: readonly ObservedNode[]): string {
  const names = nodes
    .toSorted((one, other) => Number(other.isControlPlane) - Number(one.isControlPlane))
    .map(({ name, isControlPlane }) => (isControlPlane ? `${name} (control plane)` : name));
  const more = names.length - mostNames;
  return names.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
