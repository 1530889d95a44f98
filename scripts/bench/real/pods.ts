import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { poll } from './poll.ts';
import { inParallel, request } from './request.ts';
import type { StageNode } from './stage.ts';

/** Pods of an application. Each pod is on another node if there are enough nodes, and each application has its own budget. */
const podsPerApplication = 20;
export const graceSeconds = 2;

interface Placed {
  readonly application: string;
  readonly name: string;
  readonly nodeName: string;
}

/** Pods of ReplicaSets on every node, Running and Ready when this resolves. Pods of stuck nodes may not be disrupted at all. */
export async function placePods(
  admin: ClusterAdmin,
  nodes: readonly StageNode[],
  podsPerNode: number,
): Promise<void> {
  const [stuck, free] = [nodes.filter(({ isStuck }) => isStuck), nodes.filter(({ isStuck }) => !isStuck)];
  const pods = [...layOut('held', stuck, podsPerNode), ...layOut('web', free, podsPerNode)];
  await inParallel(pods, 16, (pod) =>
    request(admin, { path: '/api/v1/namespaces/default/pods', body: podOf(pod) }),
  );
  // ReplicaSets adopt what they find: made first, they would make pods of their own, without a node.
  const applications = Map.groupBy(pods, ({ application }) => application);
  await inParallel([...applications], 8, async ([application, { length }]) => {
    const path = '/apis/apps/v1/namespaces/default/replicasets';
    await request(admin, { path, body: replicaSetOf(application, length) });
    const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    await request(admin, { path: budgets, body: budgetOf(application) });
  });
  await settled(admin, pods.length);
}

function layOut(prefix: string, nodes: readonly StageNode[], podsPerNode: number): readonly Placed[] {
  return Array.from({ length: nodes.length * podsPerNode }, (_, index) => {
    const application = `${prefix}-${Math.floor(index / podsPerApplication)}`;
    const { nodeName = '' } = nodes[index % nodes.length] ?? {};
    return { application, name: `${application}-${index}`, nodeName };
  });
}

const template = (application: string, nodeName?: string) => ({
  metadata: { labels: { app: application } },
  spec: {
    terminationGracePeriodSeconds: graceSeconds,
    containers: [{ name: 'main', image: 'registry.example/app:1' }],
    ...(nodeName && { nodeName }),
  },
});

function podOf({ application, name, nodeName }: Placed): object {
  const { metadata, spec } = template(application, nodeName);
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name }, spec };
}

const replicaSetOf = (application: string, replicas: number): object => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: application },
  spec: { replicas, selector: { matchLabels: { app: application } }, template: template(application) },
});

const budgetOf = (application: string): object => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: application },
  spec: {
    maxUnavailable: application.startsWith('held') ? 0 : '100%',
    selector: { matchLabels: { app: application } },
  },
});

interface Statuses {
  readonly items: readonly {
    readonly status: {
      readonly readyReplicas?: number;
      readonly currentHealthy?: number;
    };
  }[];
}

/** Adopted, Ready, and known to the budgets. */
async function settled(admin: ClusterAdmin, pods: number): Promise<void> {
  const statusesAt = async (path: string): Promise<Statuses['items']> =>
    (await request<Statuses>(admin, { path })).items;
  await poll(async () => {
    const sets = await statusesAt('/apis/apps/v1/namespaces/default/replicasets');
    const budgets = await statusesAt('/apis/policy/v1/namespaces/default/poddisruptionbudgets');
    const ready = sets.reduce((sum, { status }) => sum + (status.readyReplicas ?? 0), 0);
    const healthy = budgets.reduce((sum, { status }) => sum + (status.currentHealthy ?? 0), 0);
    if (ready === pods && healthy === pods) return { kind: 'done', value: undefined };
    return { kind: 'waiting', found: `of ${pods} pods ${ready} are Ready, and budgets count ${healthy}` };
  });
}
