interface Plan {
  readonly app: string;
  readonly cpu: string;
  /** How long its simulated containers take: `cloud-sandbox/stop-seconds` ... */
  readonly annotations: Readonly<Record<string, string>>;
}

const template = ({ app, cpu, annotations }: Plan) => ({
  metadata: { labels: { app }, annotations },
  spec: {
    terminationGracePeriodSeconds: 10,
    containers: [{ name: app, image: `registry.example/${app}:1`, resources: { requests: { cpu } } }],
  },
});

const deployment = (replicas: number, plan: Plan) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: plan.app, namespace: 'default' },
  spec: { replicas, selector: { matchLabels: { app: plan.app } }, template: template(plan) },
});

const web = {
  app: 'web',
  cpu: '200m',
  annotations: {
    'cloud-sandbox/start-seconds': '2',
    'cloud-sandbox/ready-seconds': '6',
    'cloud-sandbox/stop-seconds': '3',
  },
};
const jobs = { app: 'jobs', cpu: '100m', annotations: { 'cloud-sandbox/stop-seconds': '5' } };

const webBudget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace: 'default' },
  spec: { minAvailable: 4, selector: { matchLabels: { app: 'web' } } },
};

const logAgent = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'log-agent', namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: { app: 'log-agent' } },
    template: {
      metadata: { labels: { app: 'log-agent' } },
      spec: {
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'log-agent', image: 'registry.example/log-agent:1' }],
      },
    },
  },
};

/** What runs in the cluster before a client comes, each with the path at which it is created. */
export const workloads: readonly (readonly [path: string, object: object])[] = [
  ['/apis/apps/v1/namespaces/default/deployments', deployment(5, web)],
  ['/apis/policy/v1/namespaces/default/poddisruptionbudgets', webBudget],
  ['/apis/apps/v1/namespaces/default/deployments', deployment(3, jobs)],
  ['/apis/apps/v1/namespaces/kube-system/daemonsets', logAgent],
];
