import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { createItem, listItems, requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';

const namespace = 'shop';
const replicas = 2;

/** Of the nodes on which they run. */
export const workerLabels = { 'example.com/role': 'worker' } as const;

const podsPath = `/api/v1/namespaces/${namespace}/pods`;
const deploymentsPath = `/apis/apps/v1/namespaces/${namespace}/deployments`;

/** Workloads of two replicas, each with a Service and a budget that lets one of them go. */
export interface Workloads {
  readonly namespace: string;
  readonly names: readonly string[];
  readonly pods: () => Promise<readonly Pod[]>;
  /** Scales a workload without a Service, so that the scheduler and the controllers are busy. */
  readonly scaleLoad: (pods: number) => Promise<void>;
}

/** @throws Error with the API server's answer to the first object that it does not take */
export async function createWorkloads(admin: ClusterAdmin, count: number): Promise<Workloads> {
  const names = Array.from({ length: count }, (_, index) => `web-${index}`);
  await createItem(admin, '/api/v1/namespaces', { metadata: { name: namespace } });
  for (const name of names) {
    await createItem(admin, deploymentsPath, deployment(name, replicas));
    await createItem(admin, `/api/v1/namespaces/${namespace}/services`, {
      metadata: { name },
      spec: { selector: { app: name }, ports: [{ port: 80 }] },
    });
    await createItem(admin, `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, {
      metadata: { name },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: name } } },
    });
  }
  await createItem(admin, deploymentsPath, deployment(load, 0));
  return {
    namespace,
    names,
    pods: async () =>
      (await listItems<Pod>(admin, podsPath)).filter(({ metadata }) => metadata?.labels?.app !== load),
    scaleLoad: async (pods) => {
      const answer = await requestOf(admin, {
        method: 'PATCH',
        path: `${deploymentsPath}/${load}`,
        body: { spec: { replicas: pods } },
      });
      if (answer.status !== 200) throw new Error(`${load} was not scaled: ${answer.body}`);
    },
  };
}

const load = 'load';

const deployment = (name: string, pods: number) => ({
  metadata: { name },
  spec: {
    replicas: pods,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        nodeSelector: workerLabels,
        terminationGracePeriodSeconds: 1,
        containers: [
          { name: 'main', image: 'registry.example/app:1', resources: { requests: { cpu: '1' } } },
        ],
      },
    },
  },
});
