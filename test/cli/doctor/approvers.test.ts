import { describe, expect, test } from 'vitest';
import { judgeApprovers } from '../../../cli/doctor/checks/approvers.ts';
import { isEks } from '../../../shared/certificates/built-in-approvers.ts';

const role = (name: string, resources: readonly string[], verbs: readonly string[] = ['create']) => ({
  metadata: { name },
  rules: [{ apiGroups: ['certificates.k8s.io'], resources: [...resources], verbs: [...verbs] }],
});

const nodeClient = 'system:certificates.k8s.io:certificatesigningrequests:nodeclient';
const selfNodeClient = 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient';

const roles = [
  role(nodeClient, ['certificatesigningrequests/nodeclient']),
  role(selfNodeClient, ['certificatesigningrequests/selfnodeclient']),
  role('system:node-bootstrapper', ['certificatesigningrequests'], ['create', 'get', 'list', 'watch']),
  { metadata: { name: 'cluster-admin' }, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
];

const binding = (
  name: string,
  roleName: string,
  subject: { readonly kind: string; readonly name: string },
) => ({
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleName },
  subjects: [subject],
});

const group = (name: string) => ({ kind: 'Group', name });

const judge = (bindings: readonly ReturnType<typeof binding>[], changes: object = {}) =>
  judgeApprovers({
    server: 'https://api.example:6443',
    isDeployed: true,
    otherNodes: [],
    roles,
    bindings,
    ...changes,
  });

describe('drover doctor fails, naming it, on a binding that approves certificates without Drover', () => {
  test.each([
    [
      'kubeadm:node-autoapprove-bootstrap',
      nodeClient,
      group('system:bootstrappers:kubeadm:default-node-token'),
    ],
    ['kubeadm:node-autoapprove-certificate-rotation', selfNodeClient, group('system:nodes')],
    ['approve-drover', nodeClient, group('system:bootstrappers:drover:worker')],
    ['approve-all', nodeClient, group('system:authenticated')],
    ['admin-bootstrappers', 'cluster-admin', group('system:bootstrappers')],
    ['openshift', nodeClient, { kind: 'ServiceAccount', name: 'node-bootstrapper' }],
    ['openshift-autoapprover', 'anything', { kind: 'ServiceAccount', name: 'bootstrap-autoapprover' }],
    // As openshift-ansible 3.11 binds it, roles/openshift_bootstrap_autoapprover/files/openshift-bootstrap-controller-policy.yaml.
    [
      'bootstrap-autoapprover',
      'system:node-bootstrap-autoapprover',
      { kind: 'User', name: 'system:serviceaccount:openshift-infra:bootstrap-autoapprover' },
    ],
  ])('%s', (name, roleName, subject) => {
    expect(judge([binding(name, roleName, subject)])).toMatchObject([
      { verdict: 'fix', subject: name, command: `kubectl delete clusterrolebinding ${name}` },
    ]);
  });
});

test('kubeadm’s approver stays as advice while a Node is outside managed groups, because nothing else renews its certificate', () => {
  const own = binding('kubeadm:node-autoapprove-certificate-rotation', selfNodeClient, group('system:nodes'));
  const [finding, ...others] = judge([own], { otherNodes: ['master-1'] });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    verdict: 'advice',
    message: expect.stringContaining('1 are not (master-1)'),
  });
  expect(finding?.command).toBeUndefined();
});

test('drover doctor is content with the binding that lets nodes ask, and with administrators', () => {
  const bindings = [
    binding(
      'drover-node-bootstrapper',
      'system:node-bootstrapper',
      group('system:bootstrappers:drover:worker'),
    ),
    binding('cluster-admin', 'cluster-admin', group('system:masters')),
    binding('people', nodeClient, group('platform-team')),
  ];
  expect(judge(bindings)).toMatchObject([{ verdict: 'ok' }]);
  expect(judge(bindings, { isDeployed: false })).toMatchObject([{ verdict: 'advice' }]);
});

test('a binding that approves is advice where certificate-requests is off: it is what approves there', () => {
  const own = binding('kubeadm:node-autoapprove-bootstrap', nodeClient, group('system:bootstrappers'));
  expect(judge([own], { isDeployed: true })).toMatchObject([{ verdict: 'fix' }]);
  const [finding] = judge([own], { isDeployed: false });
  expect(finding).toMatchObject({
    verdict: 'advice',
    message: expect.stringContaining('while certificate-requests is off'),
  });
  expect(finding?.command).toBeUndefined();
});

test('drover doctor says why certificate-requests is off on EKS, and fails if it is on', () => {
  const server = 'https://0123456789.gr7.eu-west-1.eks.amazonaws.com';
  expect(judge([], { server, isDeployed: false })).toMatchObject([
    { verdict: 'ok', message: expect.stringContaining('the control plane of EKS approves') },
  ]);
  expect(judge([], { server })).toMatchObject([
    { verdict: 'fix', message: expect.stringContaining('certificates: off') },
  ]);
});

describe('an identity with the verb approve for the signers of kubelets', () => {
  const rule = (apiGroups: string[], resources: string[], verbs: string[]) => ({
    apiGroups,
    resources,
    verbs,
  });
  const approver = (name: string, resourceNames?: readonly string[]) => ({
    metadata: { name },
    rules: [
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['signers'],
        verbs: ['approve'],
        ...(resourceNames && { resourceNames: [...resourceNames] }),
      },
    ],
  });
  const approving = [
    approver('serving', ['kubernetes.io/kubelet-serving']),
    approver('client', ['kubernetes.io/kube-apiserver-client-kubelet']),
    approver('kubernetes', ['kubernetes.io/*']),
    approver('any'),
    approver('own', ['example.com/mine']),
    { metadata: { name: 'all-verbs' }, rules: [rule(['certificates.k8s.io'], ['signers'], ['*'])] },
    { metadata: { name: 'all-resources' }, rules: [rule(['certificates.k8s.io'], ['*'], ['*'])] },
    { metadata: { name: 'all-groups' }, rules: [rule(['*'], ['signers', 'pods'], ['get', '*'])] },
    { metadata: { name: 'all-approve' }, rules: [rule(['*'], ['*'], ['approve'])] },
  ];
  const account = (name: string, namespace = 'kube-system') => ({ kind: 'ServiceAccount', name, namespace });

  test.each([
    'serving',
    'client',
    'kubernetes',
    'any',
    'all-verbs',
    'all-resources',
    'all-groups',
    'all-approve',
  ])('is named: ClusterRole %s', (roleName) => {
    const bindings = [binding('other-approver', roleName, account('kubelet-csr-approver', 'tools'))];
    expect(judge(bindings, { roles: approving })).toMatchObject([
      {
        verdict: 'fix',
        subject: 'other-approver',
        message: expect.stringContaining('ServiceAccount tools/kubelet-csr-approver'),
        command: 'kubectl delete clusterrolebinding other-approver',
      },
    ]);
  });

  test('is advice for users and groups, who may approve by hand', () => {
    const [found, ok] = judge([binding('people', 'any', group('platform-team'))], { roles: approving });
    expect(found).toMatchObject({
      verdict: 'advice',
      message: expect.stringContaining('Group platform-team'),
    });
    expect(found?.command).toBeUndefined();
    expect(ok).toMatchObject({ verdict: 'ok' });
  });

  test.each([
    ['Drover', 'any', group('drover:certificates')],
    ['Drover as a ServiceAccount', 'any', account('drover')],
    ['the signer of kube-controller-manager', 'client', account('certificate-controller')],
    ['an approver of another signer', 'own', account('other')],
  ])('is not reported if it is %s', (_, roleName, subject) => {
    expect(judge([binding('known', roleName, subject)], { roles: approving })).toMatchObject([
      { verdict: 'ok', message: 'nothing else approves certificates of nodes by itself' },
    ]);
  });

  test('is advice if certificate-requests is off', () => {
    const bindings = [binding('other-approver', 'any', account('kubelet-csr-approver'))];
    expect(judge(bindings, { roles: approving, isDeployed: false })).toMatchObject([{ verdict: 'advice' }]);
  });
});

test.each([
  ['https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com', true],
  ['https://0123456789ABCDEF.yl4.cn-north-1.eks.amazonaws.com.cn', true],
  ['https://0123456789ABCDEF.eks-cluster.eu-west-1.api.aws', true],
  ['https://0123456789ABCDEF.eks-cluster.cn-north-1.api.amazonwebservices.com.cn', true],
  ['https://api.example.internal:6443', false],
  ['https://eks.amazonaws.com.example.internal', false],
])('%s is a control plane of EKS: %s', (server, expected) => {
  expect(isEks(server)).toBe(expected);
});
