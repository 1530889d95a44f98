/** Pods that start immediately and stop one second after they are deleted. */
const quick = {
  'cloud-sandbox/start-seconds': '0',
  'cloud-sandbox/stop-seconds': '1',
};

export interface Workload {
  readonly name: string;
  readonly replicas?: number;
  readonly image?: string;
  readonly environment?: readonly { readonly name: string; readonly value: string }[];
}

/** As a user writes it, without defaults. JSON is YAML. */
export const deploymentText = ({ name, replicas = 2, image = 'app:1', environment = [] }: Workload): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { app: name } },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, annotations: quick },
        spec: {
          containers: [{ name: 'main', image, ports: [{ containerPort: 80 }], env: environment }],
        },
      },
    },
  });

export const configText = (data: Readonly<Record<string, string>>): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data });

export const podText = (name: string, stopSeconds: number, graceSeconds: number): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations: { ...quick, 'cloud-sandbox/stop-seconds': String(stopSeconds) } },
    spec: { terminationGracePeriodSeconds: graceSeconds, containers: [{ name: 'main', image: 'app:1' }] },
  });

export const budgetText = (name: string, minAvailable: number): string =>
  JSON.stringify({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { minAvailable, selector: { matchLabels: { app: name } } },
  });

/** A cluster role, and its binding to a group. */
export const rolesText = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'robots' },
      rules: [
        { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'delete'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
        { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'robots' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'robots' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'robots' }],
    },
  ],
});
