import type { ClusterRoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import { describe, expect, it, test } from 'vitest';
import { planAdoption } from '../../../cli/adopt/plan/plan.ts';
import { eks, granted, group, kubeadmBindings, manifests, node, observation, wishes } from './observed.ts';

const plan = (changes: Parameters<typeof observation>[0] = {}, asked: Parameters<typeof wishes>[0] = {}) =>
  planAdoption(observation(changes), wishes(asked));

const idsOf = ({ steps }: ReturnType<typeof plan>): readonly string[] => steps.map(({ id }) => id);

describe('the plan of an adoption', () => {
  it('grants rights first, tags before hooks, and hands certificates over last', () => {
    expect(idsOf(plan())).toEqual([
      'rights',
      'tags/workers',
      'hook/workers/drover-node-leaving',
      'hook/workers/drover-node-joining',
      'approver/kubeadm:node-autoapprove-bootstrap',
      'approver/kubeadm:node-autoapprove-certificate-rotation',
    ]);
  });

  it('refuses everything without a deployment, because nothing would complete the hooks', () => {
    const { steps, refusals } = plan({ features: undefined });
    expect(steps).toEqual([]);
    expect(refusals).toMatchObject([{ subject: 'prod', reason: expect.stringContaining('no deployment') }]);
  });

  it('gives new instances the tag of the cluster, and only that one', () => {
    expect(plan().steps.find(({ id }) => id === 'tags/workers')?.actions).toEqual([
      {
        kind: 'set-tags',
        group: 'workers',
        tags: [
          { key: 'kubernetes.io/cluster/prod', value: 'owned', propagates: true },
          { key: 'drover.dev/role', value: 'worker', propagates: false },
        ],
      },
    ]);
  });

  it('keeps the tag of a group that several clusters share, and refuses one that another owns', () => {
    const shared = plan({ groups: [group('workers', { 'kubernetes.io/cluster/prod': 'shared' })] });
    expect(shared.steps.find(({ id }) => id === 'tags/workers')?.shall).toBe('drover.dev/role=worker');
    expect(plan({ groups: [group('workers', { 'kubernetes.io/cluster/test': 'owned' })] })).toMatchObject({
      steps: [],
      refusals: [{ reason: expect.stringContaining('cluster test owns this group') }],
    });
  });

  it('refuses a managed node group of EKS, and says who drains it', () => {
    const managed = group('eks-a', { 'eks:nodegroup-name': 'a', 'eks:cluster-name': 'prod' });
    expect(plan({ groups: [managed, group('workers')] })).toMatchObject({
      refusals: [{ subject: 'eks-a', reason: expect.stringContaining('EKS manages this group') }],
      steps: expect.arrayContaining([expect.objectContaining({ id: 'tags/workers' })]),
    });
  });

  it('refuses a group whose instances are not Nodes of the cluster that the kubeconfig names', () => {
    expect(plan({ nodes: [node('other-1', 'i-other')] })).toMatchObject({
      steps: [],
      refusals: [{ subject: 'workers', reason: expect.stringContaining('is a Node of the cluster') }],
    });
    const launching = [{ instanceId: 'i-new', lifecycleState: 'Pending' }];
    const empty = {
      groups: [group('workers', {}, { instances: launching })],
      nodes: [node('other-1', 'i-other')],
    };
    expect(plan(empty).refusals).toEqual([]);
  });

  it('names Nodes without a providerID, which Drover cannot find', () => {
    const { refusals, notices } = plan({ nodes: [node('bare-1')] });
    expect(refusals).toEqual([]);
    expect(notices).toContainEqual(expect.stringContaining('1 Node without a providerID (bare-1)'));
  });

  it('refuses control planes of kubeadm with stacked etcd, whose members nothing would remove', () => {
    const masters = node('master-1', 'i-masters', { isControlPlane: true, hasEtcd: true });
    expect(plan({ groups: [group('masters')], nodes: [masters] })).toMatchObject({
      steps: [],
      refusals: [{ reason: expect.stringContaining('stacked etcd of kubeadm') }],
    });
  });

  it('finds the role of a group by its nodes, and refuses to make a control plane a group of workers', () => {
    const nodes = [node('master-1', 'i-masters', { isControlPlane: true })];
    const found = plan({ groups: [group('masters')], nodes });
    expect(found.steps.find(({ id }) => id === 'tags/masters')?.shall).toContain(
      'drover.dev/role=control-plane',
    );
    expect(plan({ groups: [group('masters')], nodes }, { role: 'worker' }).refusals).toMatchObject([
      { reason: expect.stringContaining('one of the control plane') },
    ]);
  });

  it('refuses more than the 50 tags that Auto Scaling takes', () => {
    const tags = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`team-${index}`, 'x']));
    expect(plan({ groups: [group('workers', tags)] }).refusals).toMatchObject([
      { subject: 'workers', reason: 'it would have 51 tags, and Auto Scaling takes 50' },
    ]);
  });

  it('refuses a tag that Drover cannot read', () => {
    const { refusals } = plan({}, { tags: new Map([['drover.dev/drain-timeout', 'soon']]) });
    expect(refusals).toMatchObject([{ reason: expect.stringContaining('drover.dev/drain-timeout') }]);
  });

  it('leaves the times of a hook that is there to its operator', () => {
    const hooks = [
      {
        lifecycleHookName: 'drover-node-leaving',
        transition: 'terminating',
        heartbeatTimeoutSeconds: 600,
        globalTimeoutSeconds: 60_000,
        defaultResult: 'CONTINUE',
      },
    ] as const;
    expect(idsOf(plan({ groups: [group('workers', {}, { hooks })] }))).not.toContain(
      'hook/workers/drover-node-leaving',
    );
  });

  it('always says what the next apply of Terraform removes, because Terraform leaves no tag', () => {
    expect(plan().notices).toContainEqual(expect.stringMatching(/workers: if Terraform.*ignore_tags/));
  });

  test.each([
    ['aws:cloudformation:stack-name', 'the CloudFormation stack x owns this group'],
    ['kops.k8s.io/instancegroup', 'kops owns this group'],
    ['alpha.eksctl.io/nodegroup-name', 'eksctl made this group'],
    ['aws-node-termination-handler/managed', 'AWS Node Termination Handler drains this group too'],
  ])('names the other owner by the tag %s', (tag, words) => {
    expect(plan({ groups: [group('workers', { [tag]: 'x' })] }).notices).toContainEqual(
      expect.stringContaining(words),
    );
  });
});

describe('rights', () => {
  const rights = (changes: Parameters<typeof observation>[0]) =>
    plan(changes).steps.find(({ id }) => id === 'rights');

  it('are those of the features that are on: none for certificates and Secrets without them', () => {
    const step = rights({ features: new Set() });
    expect(step?.is).toBe('no ClusterRole/drover, no ClusterRoleBinding/drover');
  });

  it('are undone by a command for each namespace, because kubectl takes one', () => {
    const secrets = {
      ...manifests[4],
      kind: 'RoleBinding',
      metadata: { name: 'a', namespace: 'kube-system' },
    };
    const events = { ...manifests[4], kind: 'RoleBinding', metadata: { name: 'b', namespace: 'default' } };
    const [one, two] = [secrets, events] as unknown as typeof manifests;
    if (!one || !two) throw new Error('no manifests');
    expect(rights({ manifests: [one, two, ...manifests.slice(0, 1)] })?.reversal).toBe(
      'kubectl delete -n kube-system rolebinding/a && kubectl delete -n default rolebinding/b && kubectl delete clusterrole/drover',
    );
  });

  it('of features that are off are named, not removed', () => {
    const { notices, steps } = plan({ features: new Set(), granted: granted() });
    expect(steps.map(({ id }) => id)).not.toContain('rights');
    expect(notices).toContainEqual(expect.stringContaining('clusterrolebinding/drover-bootstrap-tokens'));
  });

  it('stay as an operator has narrowed them, and are completed if a role has other rules', () => {
    const narrowed = manifests.map((one) =>
      one.kind === 'ClusterRoleBinding' ? { ...one, subjects: [{ kind: 'Group', name: 'drover' }] } : one,
    );
    expect(rights({ granted: granted(narrowed) })).toBeUndefined();
    const changed = manifests.map((one) => (one.kind === 'ClusterRole' ? { ...one, rules: [] } : one));
    expect(rights({ granted: granted(changed) })?.is).toContain('ClusterRole/drover has other rights');
  });

  it('do not depend on the order in which the API server lists rules', () => {
    const turned = manifests.map((one) =>
      one.kind === 'ClusterRole'
        ? { ...one, rules: [{ verbs: ['list', 'get'], resources: ['nodes'], apiGroups: [''] }] }
        : one,
    );
    expect(rights({ granted: granted(turned) })).toBeUndefined();
  });

  it('are refused if a binding of that name binds another role', () => {
    const other = manifests.map((one) =>
      one.kind === 'ClusterRoleBinding'
        ? { ...one, roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } }
        : one,
    );
    expect(plan({ granted: granted(other) }).refusals).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining('does not let a binding change its role') }),
    );
  });
});

describe('the approval of certificates', () => {
  const control = node('master-1', 'i-master', { isControlPlane: true });
  const worker = node('worker-1', 'i-workers');
  const approvers = (changes: Parameters<typeof observation>[0], asked = {}) =>
    idsOf(plan(changes, asked)).filter((id) => id.startsWith('approver/'));

  it('stays with kubeadm while a node is outside managed groups, which it names', () => {
    const mixed = { nodes: [worker, control] };
    expect(approvers(mixed)).toEqual([]);
    expect(plan(mixed).notices).toContainEqual(
      expect.stringMatching(/certificate-rotation stays bound.*master-1 \(control plane\)/),
    );
  });

  it('is handed over once the last node is managed, or exempted by name', () => {
    expect(approvers({ nodes: [worker, control] }, { exemptNodes: new Set(['master-1']) })).toHaveLength(2);
    expect(approvers({ nodes: [worker, control], managedInstanceIds: new Set(['i-master']) })).toHaveLength(
      2,
    );
    expect(plan({}, { exemptNodes: new Set(['mastre-1']) }).notices).toContain(
      '--exempt mastre-1: the cluster has no such Node',
    );
  });

  const exempted = node('master-1', 'i-master', { isControlPlane: true, certificates: 'by-hand' });

  it('records an exemption on its Node before nothing else approves, and remembers it without the flag', () => {
    const ids = (nodes: Parameters<typeof observation>[0], asked = {}) =>
      idsOf(plan(nodes, asked)).filter((id) => /^(?:exempt|approver)/.test(id));
    const handOver = [
      'approver/kubeadm:node-autoapprove-bootstrap',
      'approver/kubeadm:node-autoapprove-certificate-rotation',
    ];
    const asked = { exemptNodes: new Set(['master-1']) };
    expect(ids({ nodes: [worker, control] }, asked)).toEqual(['exempt/master-1', ...handOver]);
    expect(
      plan({ nodes: [worker, control] }, asked).steps.find(({ id }) => id === 'exempt/master-1'),
    ).toMatchObject({
      actions: [
        { kind: 'annotate-node', name: 'master-1', key: 'drover.dev/certificates', value: 'by-hand' },
      ],
      reversal: 'kubectl annotate node master-1 drover.dev/certificates-',
    });
    expect(ids({ nodes: [worker, exempted] }, asked)).toEqual(handOver);
    expect(ids({ nodes: [worker, exempted] })).toEqual(handOver);
    expect(ids({ nodes: [worker, exempted], clusterRoleBindings: [] })).toEqual([]);
  });

  it('records an exemption while other nodes still keep the approver bound', () => {
    const nodes = [worker, control, node('master-2', 'i-master-2')];
    expect(idsOf(plan({ nodes }, { exemptNodes: new Set(['master-1']) })).slice(-1)).toEqual([
      'exempt/master-1',
    ]);
  });

  it('exempts a Node by no other value of the annotation, and corrects it if it is asked to', () => {
    for (const certificates of ['', 'true', 'By-Hand', 'by-hand ', 'x'.repeat(9000)]) {
      const nodes = [worker, { ...exempted, certificates }];
      expect(approvers({ nodes })).toEqual([]);
      expect(idsOf(plan({ nodes }, { exemptNodes: new Set(['master-1']) }))).toContain('exempt/master-1');
    }
  });

  it('ends the exemption of a Node that is in a managed group by now', () => {
    const { steps } = plan({ nodes: [{ ...worker, certificates: 'by-hand' }] });
    expect(steps.find(({ id }) => id === 'exempt/worker-1')?.actions).toEqual([
      { kind: 'annotate-node', name: 'worker-1', key: 'drover.dev/certificates', value: null },
    ]);
  });

  it('stays while a node has no providerID, because nothing says which group it is of', () => {
    expect(approvers({ nodes: [worker, node('bare')] })).toEqual([]);
  });

  it('is given back for renewals if an earlier quick start took it from control planes', () => {
    expect(approvers({ nodes: [worker, control], clusterRoleBindings: [] })).toEqual([
      'approver/kubeadm:node-autoapprove-certificate-rotation',
    ]);
    expect(approvers({ nodes: [worker, control], clusterRoleBindings: [], isKubeadm: false })).toEqual([]);
  });

  it('is not touched on EKS, or while certificate-requests is off', () => {
    expect(approvers({ eks: eks() })).toEqual([]);
    expect(approvers({ features: new Set(['bootstrap']) })).toEqual([]);
  });

  it('takes away no binding that permits more than approvals, and says so', () => {
    const admin: ClusterRoleBinding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'everybody' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:authenticated' }],
    };
    const changes = {
      clusterRoles: [
        ...observation().clusterRoles,
        {
          metadata: { name: 'cluster-admin' },
          rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
        },
      ],
      clusterRoleBindings: [admin],
    };
    expect(approvers(changes)).toEqual([]);
    expect(plan(changes).notices).toContainEqual(
      expect.stringContaining('everybody lets kube-controller-manager'),
    );
  });

  it('says how to bind kubeadm’s approver again', () => {
    const step = plan().steps.at(-1);
    expect(step?.reversal).toBe(
      'kubectl create clusterrolebinding kubeadm:node-autoapprove-certificate-rotation --group system:nodes --clusterrole system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    );
    expect(kubeadmBindings[1]?.subjects?.[0]?.name).toBe('system:nodes');
  });
});
