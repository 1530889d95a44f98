import { describe, expect, it } from 'vitest';
import { bodyOf, budget, type Cluster, createCluster, deployment, eviction, startNodes } from './support.ts';

const apps = '/apis/apps/v1/namespaces/default/deployments';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const pods = '/api/v1/namespaces/default/pods';

async function running(cluster: Cluster, replicas = 2, template = {}) {
  startNodes(cluster.kubernetes, ['a', 'b']);
  await cluster.call('POST', apps, deployment('web', replicas, template));
  cluster.seconds(5);
  const list = bodyOf(await cluster.call('GET', pods));
  return list.items.map((pod: { metadata: { name: string } }) => pod.metadata.name);
}

const evict = (cluster: Cluster, name: string, options = {}) =>
  cluster.call('POST', `${pods}/${name}/eviction`, eviction(name, options));

describe('the eviction of a pod', () => {
  it('is granted without a budget, and the pod ends after its grace and is replaced', async () => {
    const cluster = createCluster();
    const [name] = await running(cluster);
    const response = await evict(cluster, name);
    expect(response.status).toBe(201);
    expect(bodyOf(response)).toMatchObject({ kind: 'Status', status: 'Success' });
    cluster.seconds(9);
    expect((await cluster.call('GET', `${pods}/${name}`)).status).toBe(200);
    cluster.seconds(2);
    expect((await cluster.call('GET', `${pods}/${name}`)).status).toBe(404);
    expect(bodyOf(await cluster.call('GET', pods)).items).toHaveLength(2);
  });

  it('is refused with 429 and the cause DisruptionBudget while the budget allows none', async () => {
    const cluster = createCluster();
    const [first, second] = await running(cluster);
    await cluster.call('POST', budgets, budget('web', 'web', { minAvailable: 1 }));
    cluster.seconds(1);
    expect((await evict(cluster, first)).status).toBe(201);
    const held = await evict(cluster, second);
    expect(held.status).toBe(429);
    expect(held.headers['retry-after']).toBeUndefined();
    expect(bodyOf(held)).toMatchObject({
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget web needs 1 healthy pods and has 2 currently',
          },
        ],
      },
    });
    cluster.seconds(5);
    expect((await evict(cluster, second)).status).toBe(201);
  });

  it('is refused with Retry-After 10 if the budget has not been observed yet', async () => {
    const cluster = createCluster();
    const [name] = await running(cluster);
    await cluster.call('POST', budgets, budget('web', 'web', { minAvailable: 1 }));
    const response = await evict(cluster, name);
    expect(response.status).toBe(429);
    expect(response.headers['retry-after']).toBe('10');
  });

  it('is a 500 if two budgets select the pod', async () => {
    const cluster = createCluster();
    const [name] = await running(cluster);
    await cluster.call('POST', budgets, budget('one', 'web', { minAvailable: 1 }));
    await cluster.call('POST', budgets, budget('two', 'web', { maxUnavailable: 1 }));
    cluster.seconds(1);
    const response = await evict(cluster, name);
    expect(response.status).toBe(500);
    expect(bodyOf(response).message).toMatch(/more than one PodDisruptionBudget/);
  });

  it('is a 409 if another pod has the name now', async () => {
    const cluster = createCluster();
    const [name] = await running(cluster);
    const response = await evict(cluster, name, { preconditions: { uid: 'another' } });
    expect(response.status).toBe(409);
    expect(bodyOf(response).message).toMatch(/the UID in the precondition \(another\) does not match/);
  });

  it('passes a budget for a pod that is not ready only if its policy or its health allows it', async () => {
    const cluster = createCluster();
    const never = { annotations: { 'cloud-sandbox/ready-seconds': 'never' } };
    const [name] = await running(cluster, 2, never);
    await cluster.call('POST', budgets, budget('web', 'web', { minAvailable: 1 }));
    cluster.seconds(1);
    expect((await evict(cluster, name)).status).toBe(429);
    const patch = { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } };
    await cluster.call('PATCH', `${budgets}/web`, patch, { 'content-type': 'application/merge-patch+json' });
    expect((await evict(cluster, name)).status).toBe(201);
  });

  it('changes nothing in a dry run', async () => {
    const cluster = createCluster();
    const [name] = await running(cluster);
    const path = `${pods}/${name}/eviction?dryRun=All`;
    expect((await cluster.call('POST', path, eviction(name))).status).toBe(201);
    const pod = bodyOf(await cluster.call('GET', `${pods}/${name}`));
    expect(pod.metadata.deletionTimestamp).toBeUndefined();
  });

  it('is a 403 with the cause NamespaceTerminating in a terminating namespace, even for a deleted pod', async () => {
    const cluster = createCluster();
    const [name] = await running(cluster);
    cluster.kubernetes.registry.delete('namespaces', { metadata: { name: 'default' } });
    cluster.seconds(1);
    const response = await evict(cluster, name);
    expect(response.status).toBe(403);
    expect(bodyOf(response).details.causes[0].reason).toBe('NamespaceTerminating');
    expect((await evict(cluster, 'long-gone')).status).toBe(403);
    cluster.seconds(30);
    expect((await cluster.call('GET', '/api/v1/namespaces/default')).status).toBe(404);
  });
});
