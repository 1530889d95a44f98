import type { ClusterRole, ClusterRoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import type {
  Feature,
  KubernetesObject,
  Observation,
  ObservedEks,
  ObservedGroup,
  ObservedNode,
  Wishes,
} from '../../../cli/adopt/plan/observation.ts';

/** A group that nothing has been done to. */
export const group = (
  autoScalingGroupName: string,
  tags: Readonly<Record<string, string>> = {},
  changes: Partial<ObservedGroup> = {},
): ObservedGroup => ({
  autoScalingGroupName,
  tags: new Map(Object.entries(tags).map(([key, value]) => [key, { value, propagates: true }])),
  instances: [{ instanceId: `i-${autoScalingGroupName}`, lifecycleState: 'InService' }],
  hooks: [],
  instanceRoleArns: [],
  launch: { kind: 'none' },
  ...changes,
});

export const node = (
  name: string,
  instanceId?: string,
  changes: Partial<ObservedNode> = {},
): ObservedNode => ({
  name,
  instanceId,
  isControlPlane: false,
  hasEtcd: false,
  certificates: undefined,
  ...changes,
});

const object = (kind: string, name: string, fields: object = {}): KubernetesObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name },
  ...fields,
});

const bindingOf = (name: string): KubernetesObject =>
  object('ClusterRoleBinding', name, {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [
      { kind: 'Group', name: 'drover' },
      { kind: 'ServiceAccount', name: 'drover', namespace: 'kube-system' },
    ],
  });

const roleOf = (name: string): KubernetesObject =>
  object('ClusterRole', name, { rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list'] }] });

/** A few objects of deploy/rbac.yaml. */
export const manifests: readonly KubernetesObject[] = [
  roleOf('drover'),
  bindingOf('drover'),
  roleOf('drover-certificates'),
  bindingOf('drover-certificates'),
  bindingOf('drover-bootstrap-tokens'),
  bindingOf('drover-node-bootstrapper'),
];

export const granted = (objects: readonly KubernetesObject[] = manifests): Observation['granted'] =>
  new Map(objects.map((one) => [`${one.kind}/${one.metadata.name}`, one]));

const approverRoles: readonly ClusterRole[] = ['nodeclient', 'selfnodeclient'].map((kind) => ({
  metadata: { name: `system:certificates.k8s.io:certificatesigningrequests:${kind}` },
  rules: [
    {
      apiGroups: ['certificates.k8s.io'],
      resources: [`certificatesigningrequests/${kind}`],
      verbs: ['create'],
    },
  ],
}));

const approverBinding = (name: string, kind: string, subject: string): ClusterRoleBinding => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: {
    apiGroup: 'rbac.authorization.k8s.io',
    kind: 'ClusterRole',
    name: `system:certificates.k8s.io:certificatesigningrequests:${kind}`,
  },
  subjects: [{ kind: 'Group', name: subject }],
});

/** kubeadm binds these. */
export const kubeadmBindings: readonly ClusterRoleBinding[] = [
  approverBinding(
    'kubeadm:node-autoapprove-bootstrap',
    'nodeclient',
    'system:bootstrappers:kubeadm:default-node-token',
  ),
  approverBinding('kubeadm:node-autoapprove-certificate-rotation', 'selfnodeclient', 'system:nodes'),
];

const features: ReadonlySet<Feature> = new Set(['bootstrap', 'certificates']);

/** A cluster of kubeadm with one group of workers, to which nothing has been done. */
export const observation = (changes: Partial<Observation> = {}): Observation => ({
  clusterName: 'prod',
  leavingHookName: 'drover-node-leaving',
  joiningHookName: 'drover-node-joining',
  etcdHookName: 'drover-etcd',
  etcdLaunchHookName: 'drover-etcd-launch',
  features,
  groups: [group('workers')],
  unknownGroups: [],
  managedInstanceIds: new Set(),
  nodes: [node('worker-1', 'i-workers')],
  eks: undefined,
  isKubeadm: true,
  manifests,
  granted: new Map(),
  clusterRoles: approverRoles,
  clusterRoleBindings: kubeadmBindings,
  ...changes,
});

export const eks = (changes: Partial<ObservedEks> = {}): ObservedEks => ({
  functionRoles: new Map([['node-leaving', 'arn:aws:iam::123456789012:role/drover-prod-node-leaving']]),
  entries: new Map(),
  awsAuth: undefined,
  mapped: [],
  ...changes,
});

export const wishes = (changes: Partial<Wishes> = {}): Wishes => ({
  role: undefined,
  tags: new Map(),
  heartbeatTimeoutSeconds: 3600,
  joining: true,
  exemptNodes: new Set(),
  userData: undefined,
  ...changes,
});
