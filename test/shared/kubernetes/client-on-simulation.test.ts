import {
  budget,
  createCluster,
  deployment,
  startNodes,
} from '@drover/cloud-sandbox/test/kubernetes/support.ts';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { cordonPatch, stateBefore, uncordonPatch } from '../../../shared/draining/cordon.ts';
import { identityOf } from '../../../shared/draining/pod-facts.ts';
import { createKubernetesClient } from '../../../shared/kubernetes/client.ts';
import { type LeavingMark, readLeavingMark } from '../../../shared/nodes/leaving-mark.ts';
import { leavingLabel } from '../../../shared/nodes/node-keys.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

/** The production client on a simulated cluster of two nodes and four pods. */
async function clusterWithWeb() {
  const world = createCluster();
  startNodes(world.kubernetes, ['node-1', 'node-2']);
  await world.call('POST', deployments, deployment('web', 4));
  world.seconds(10);
  const bearerToken = world.kubernetes.adminToken;
  const connection = { server: 'https://api.test', tls: {}, bearerToken };
  const cluster = createKubernetesClient({
    connections: { connect: () => Promise.resolve(connection), invalidate: () => undefined },
    sendHttp: world.kubernetes.sendHttp,
    clock: world.clock,
  });
  const firstPod = async () => {
    const [pod] = await cluster.listPodsOnNode('node-1', 'consistent');
    if (pod === undefined) throw new Error('node-1 has no pods');
    return identityOf(pod);
  };
  const mustGet = async (name: string): Promise<Node> => {
    const node = await cluster.getNode(name);
    if (node === undefined) throw new Error(`there is no ${name}`);
    return node;
  };
  return { ...world, cluster, firstPod, mustGet };
}

describe('the client on a simulated cluster', () => {
  it('lists the pods of one node, from the cache and consistently alike', async () => {
    const { cluster } = await clusterWithWeb();
    const consistent = await cluster.listPodsOnNode('node-1', 'consistent');
    expect(consistent).toHaveLength(2);
    expect(await cluster.listPodsOnNode('node-1', 'cached')).toEqual(consistent);
  });

  it('evicts a pod, which then terminates and is gone', async () => {
    const { cluster, firstPod, seconds } = await clusterWithWeb();
    const pod = await firstPod();
    await expect(cluster.evictPod(pod, { gracePeriodSeconds: 3 })).resolves.toEqual({ kind: 'evicted' });
    seconds(5);
    await expect(cluster.evictPod(pod)).resolves.toEqual({ kind: 'gone' });
    await expect(cluster.deletePod(pod, {})).resolves.toBe('gone');
  });

  it('never evicts another pod with the same name', async () => {
    const { cluster, firstPod } = await clusterWithWeb();
    const other = { ...(await firstPod()), uid: '00000000-0000-4000-a000-000000000000' };
    await expect(cluster.evictPod(other)).resolves.toEqual({ kind: 'gone' });
    await expect(cluster.deletePod(other, { gracePeriodSeconds: 1 })).resolves.toBe('gone');
    expect((await firstPod()).name).toBe(other.name);
  });

  it('reports a budget that refuses, and two budgets for one pod', async () => {
    const { cluster, firstPod, call, seconds } = await clusterWithWeb();
    await call('POST', budgets, budget('web', 'web', { minAvailable: 4 }));
    seconds(1);
    const pod = await firstPod();
    await expect(cluster.evictPod(pod)).resolves.toMatchObject({
      kind: 'held',
      message: 'The disruption budget web needs 4 healthy pods and has 4 currently',
    });
    await expect(cluster.listPodDisruptionBudgets('default')).resolves.toHaveLength(1);
    await call('POST', budgets, budget('more', 'web', { minAvailable: 1 }));
    await expect(cluster.evictPod(pod)).resolves.toMatchObject({ kind: 'several-budgets' });
  });

  it('cordons a Node by UID in one patch, finds it by its label, and reverts the patch', async () => {
    const { cluster, mustGet, clock } = await clusterWithWeb();
    const node = await mustGet('node-1');
    const time = new Date(clock.now()).toISOString();
    const mark: LeavingMark = {
      cause: 'terminating',
      instanceId: 'i-0123456789abcdef0',
      since: time,
      renewedAt: time,
      before: stateBefore(node),
      waitingFor: [],
    };
    const cordoned = await cluster.patchNode('node-1', cordonPatch(node, mark) ?? {});
    expect(cordoned.spec?.unschedulable).toBe(true);
    const marked = await cluster.listNodeMetadata(leavingLabel);
    expect(marked.map(({ name, annotations }) => [name, readLeavingMark(annotations)])).toEqual([
      ['node-1', mark],
    ]);
    const stranger = { ...node, metadata: { ...node.metadata, uid: 'another' } };
    await expect(cluster.patchNode('node-2', cordonPatch(stranger, mark) ?? {})).rejects.toMatchObject({
      kind: 'conflict',
    });
    const back = await cluster.patchNode('node-1', uncordonPatch(cordoned) ?? {});
    expect(back.spec?.unschedulable).toBeUndefined();
    expect(await cluster.listNodeMetadata(leavingLabel)).toEqual([]);
  });

  it('deletes a Node by UID only', async () => {
    const { cluster, mustGet } = await clusterWithWeb();
    const uid = (await mustGet('node-1')).metadata?.uid ?? '';
    await expect(cluster.deleteNode({ name: 'node-1', uid: 'another' })).resolves.toBe('gone');
    await expect(cluster.listNodes()).resolves.toHaveLength(2);
    await expect(cluster.deleteNode({ name: 'node-1', uid })).resolves.toBe('deleted');
    await expect(cluster.getNode('node-1')).resolves.toBeUndefined();
  });

  it('looks up DaemonSets, claims and attachments that do not exist', async () => {
    const { cluster } = await clusterWithWeb();
    await expect(cluster.lookUpDaemonSet('default', 'agent')).resolves.toBe('gone');
    await expect(cluster.volumeOfClaim('default', 'data')).resolves.toBeUndefined();
    await expect(cluster.listVolumeAttachments('node-1')).resolves.toEqual([]);
  });

  it('records an Event under a name of its own', async () => {
    const { cluster, mustGet, call } = await clusterWithWeb();
    const uid = (await mustGet('node-1')).metadata?.uid ?? '';
    const event = {
      node: { name: 'node-1', uid },
      type: 'Normal',
      reason: 'DroverDrained',
      message: 'gone',
    } as const;
    await cluster.recordEvent(event);
    await cluster.recordEvent(event);
    const { body } = await call('GET', '/api/v1/namespaces/default/events');
    expect(body.split('DroverDrained')).toHaveLength(3);
  });

  it('reports a missing permission', async () => {
    const { kubernetes, clock } = await clusterWithWeb();
    const bearerToken = kubernetes.addToken({ username: 'guest', groups: [] });
    const connection = { server: 'https://api.test', tls: {}, bearerToken };
    const guest = createKubernetesClient({
      connections: { connect: () => Promise.resolve(connection), invalidate: () => undefined },
      sendHttp: kubernetes.sendHttp,
      clock,
    });
    await expect(guest.listNodes()).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(guest.lookUpDaemonSet('default', 'agent')).resolves.toMatchObject({
      unknown: expect.stringContaining('403'),
    });
  });
});
