import * as fc from 'fast-check';
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Subject } from 'kubernetes-types/rbac/v1.d.ts';
import { describe, expect, it, test } from 'vitest';
import { approvalsIn } from '../../../shared/certificates/other-approvers.ts';

const rbac = 'rbac.authorization.k8s.io';

const role = (name: string, ...rules: readonly PolicyRule[]): ClusterRole => ({
  metadata: { name },
  rules: [...rules],
});

const builtIn = (kind: string): PolicyRule => ({
  apiGroups: ['certificates.k8s.io'],
  resources: [`certificatesigningrequests/${kind}`],
  verbs: ['create'],
});

const approving = (...resourceNames: readonly string[]): PolicyRule => ({
  apiGroups: ['certificates.k8s.io'],
  resources: ['signers'],
  ...(resourceNames.length > 0 && { resourceNames: [...resourceNames] }),
  verbs: ['approve'],
});

const roles = [
  role('nodeclient', builtIn('nodeclient')),
  role('selfnodeclient', builtIn('selfnodeclient')),
  role('selfnodeserver', builtIn('selfnodeserver')),
  role('approve-serving', approving('kubernetes.io/kubelet-serving')),
  role('approve-client', approving('kubernetes.io/kube-apiserver-client-kubelet')),
  role('approve-kubernetes', approving('kubernetes.io/*')),
  role('approve-any', approving()),
  role('approve-other', approving('example.com/web')),
  role('cluster-admin', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }),
];

const group = (name: string): Subject => ({ kind: 'Group', name, apiGroup: rbac });
const account = (name: string, namespace = 'approvers'): Subject => ({
  kind: 'ServiceAccount',
  name,
  namespace,
});

const bind = (roleName: string, ...subjects: readonly Subject[]): ClusterRoleBinding => ({
  metadata: { name: `${roleName} for ${subjects.map(({ name }) => name).join()}` },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: roleName },
  subjects: [...subjects],
});

const approves = (...bindings: readonly ClusterRoleBinding[]): string => {
  const { client, clientOf, serving } = approvalsIn(roles, bindings);
  return [client && 'client', serving && 'serving', ...clientOf].filter(Boolean).join(' ');
};

describe('who approves the next certificates of Nodes besides Drover', () => {
  test.each<[string, string, readonly ClusterRoleBinding[]]>([
    ['kubeadm’s approval of renewals', 'client', [bind('selfnodeclient', group('system:nodes'))]],
    // kubernetes/kubernetes#53237: kubeadm 1.8.0 let nodes join, and bound no approval of renewals.
    [
      'kubeadm’s approval of first certificates, which renews none',
      '',
      [bind('nodeclient', group('system:bootstrappers:kubeadm:default-node-token'))],
    ],
    ['a renewal for bootstrappers', '', [bind('selfnodeclient', group('system:bootstrappers'))]],
    // kube-controller-manager takes a renewal for a first certificate too (sarapprove.go).
    ['any client certificate for all nodes', 'client', [bind('nodeclient', group('system:nodes'))]],
    ['everybody who is authenticated', 'client', [bind('selfnodeclient', group('system:authenticated'))]],
    [
      'one node by its user',
      'master-1',
      [bind('selfnodeclient', { kind: 'User', name: 'system:node:master-1' })],
    ],
    // kubernetes/kubernetes#73356: it has a name for serving certificates, and approves none.
    ['kube-controller-manager’s role for serving', '', [bind('selfnodeserver', group('system:nodes'))]],
    // devantler-tech/ksail#4322: such an approver is for serving certificates only.
    ['kubelet-serving-cert-approver', 'serving', [bind('approve-serving', account('approver'))]],
    // openshift/machine-config-operator#768: it took the place of kube-controller-manager.
    ['an approver of client certificates', 'client', [bind('approve-client', account('machine-approver'))]],
    [
      'an approver for all signers of kubernetes.io',
      'client serving',
      [bind('approve-kubernetes', account('a'))],
    ],
    ['an approver for all signers', 'client serving', [bind('approve-any', account('a'))]],
    // `kubectl create clusterrolebinding --user` writes a ServiceAccount so; a group of ServiceAccounts is one of programs too.
    [
      'a ServiceAccount by the name of its user',
      'client',
      [bind('approve-client', { kind: 'User', name: 'system:serviceaccount:approvers:a' })],
    ],
    [
      'the ServiceAccounts of a namespace',
      'serving',
      [bind('approve-serving', group('system:serviceaccounts:approvers'))],
    ],
    ['all ServiceAccounts', 'client', [bind('approve-client', group('system:serviceaccounts'))]],
    ['an approver of other certificates', '', [bind('approve-other', account('a'))]],
    ['OpenShift’s own approver', 'client serving', [bind('anything', account('bootstrap-autoapprover'))]],
    [
      'operators, who approve by hand',
      '',
      [bind('approve-any', group('admins'), { kind: 'User', name: 'ana' })],
    ],
    ['administrators', '', [bind('cluster-admin', account('argocd'), group('system:masters'))]],
    [
      'Drover, and the signer of kube-controller-manager',
      '',
      [
        bind(
          'approve-any',
          group('drover'),
          account('drover', 'kube-system'),
          { kind: 'User', name: 'system:serviceaccount:kube-system:drover' },
          account('certificate-controller', 'kube-system'),
        ),
      ],
    ],
    ['a role that does not exist', '', [bind('gone', account('a'), group('system:nodes'))]],
    ['a binding without subjects', '', [{ ...bind('selfnodeclient'), subjects: undefined }]],
  ])('%s: %s', (_, wanted, bindings) => {
    expect(approves(...bindings)).toBe(wanted);
  });

  it('does not count a subject whose name only resembles that of nodes', () => {
    const near = fc
      .mixedCase(fc.constantFrom('system:nodes', 'system:authenticated'))
      .chain((name) => fc.constantFrom(name, `${name}s`, ` ${name}`, `${name}:a`, name.slice(1)))
      .filter((name) => name !== 'system:nodes' && name !== 'system:authenticated');
    fc.assert(
      fc.property(near, (name) => {
        expect(approvalsIn(roles, [bind('selfnodeclient', group(name))]).client).toBe(false);
      }),
    );
  });

  it('is Drover too once the cluster has allowed it', () => {
    expect(approvalsIn(roles, []).drover).toBe(false);
    const own = { ...bind('approve-any', group('drover')), metadata: { name: 'drover-certificates' } };
    expect(approvalsIn(roles, [own])).toEqual({
      drover: true,
      client: false,
      clientOf: new Set(),
      serving: false,
    });
  });
});
