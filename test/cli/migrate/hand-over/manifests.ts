import { stringify } from 'yaml';

export const account = 'aws-node-termination-handler';
export const managedTag = 'aws-node-termination-handler/managed';

const namespace = 'kube-system';
const rbac = 'rbac.authorization.k8s.io';

/** The settings with which the program runs, as the chart puts them into its pod. */
export const settings = {
  ENABLE_SQS_TERMINATION_DRAINING: 'true',
  CHECK_TAG_BEFORE_DRAINING: 'true',
  MANAGED_TAG: managedTag,
  // Drover deletes the Node of an instance that both drain.
  DELETE_SQS_MSG_IF_NODE_NOT_FOUND: 'true',
  // It begins this many seconds before the announced event, and the sandbox's clock is ahead of its own.
  NODE_TERMINATION_GRACE_PERIOD: '3600',
} as const;

/** What the chart of AWS Node Termination Handler makes in the cluster. */
export const handlerObjects = (queueUrl: string): readonly object[] => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace } },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: account },
    rules: [
      { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'patch', 'update'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['list', 'get'] },
      { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
      { apiGroups: ['apps'], resources: ['daemonsets'], verbs: ['get'] },
      { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
    ],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: account },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: account },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: account, namespace, labels: chartLabels() },
    spec: {
      replicas: 1,
      selector: { matchLabels: chartLabels() },
      template: {
        metadata: { labels: chartLabels() },
        spec: {
          serviceAccountName: account,
          priorityClassName: 'system-cluster-critical',
          containers: [
            {
              name: account,
              image: 'public.ecr.aws/aws-ec2/aws-node-termination-handler:v1.25.6',
              env: Object.entries({ ...settings, QUEUE_URL: queueUrl }).map(([name, value]) => ({
                name,
                value,
              })),
            },
          ],
        },
      },
    },
  },
];

function chartLabels() {
  return { 'app.kubernetes.io/name': account, 'app.kubernetes.io/component': 'deployment' };
}

export const app = 'web';
export const replicas = 24;
export const maxUnavailable = 8;
export const graceSeconds = 30;

const selector = { matchLabels: { app } };

/** Pods that stop a few seconds after they are asked, with a budget, and an agent on each node. */
export const workload: readonly object[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: app, namespace: 'default' },
    spec: {
      replicas,
      selector,
      template: {
        metadata: { labels: { app }, annotations: { 'cloud-sandbox/stop-seconds': '6' } },
        spec: {
          terminationGracePeriodSeconds: graceSeconds,
          containers: [{ name: 'main', image: 'registry.example/app:1' }],
        },
      },
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: app, namespace: 'default' },
    spec: { maxUnavailable, selector },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: { containers: [{ name: 'main', image: 'registry.example/agent:1' }] },
      },
    },
  },
];

export const yamlOf = (objects: readonly object[]): string =>
  objects.map((object) => stringify(object)).join('---\n');
