export const account = 'aws-node-termination-handler';

const listText = (items: readonly object[]): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

/** The rights that NTH's chart gives it. */
export const rightsText = listText([
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace: 'kube-system' } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: account },
    rules: [
      { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'patch', 'update'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['list', 'get'] },
      { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
      { apiGroups: ['extensions'], resources: ['daemonsets'], verbs: ['get'] },
      { apiGroups: ['apps'], resources: ['daemonsets'], verbs: ['get'] },
      { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: account },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: account },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'kube-system' }],
  },
]);

const labels = { app: 'served' };

/** Pods that stop when they get a signal; their budget allows one to be missing at a time. */
export const workloadText = listText([
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'served', namespace: 'default' },
    spec: {
      replicas: 4,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'cloud-sandbox/stop-seconds': '2' } },
        spec: { containers: [{ name: 'main', image: 'app:1' }] },
      },
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'served', namespace: 'default' },
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  },
]);
