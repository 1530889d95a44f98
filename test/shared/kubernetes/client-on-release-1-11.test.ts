import { randomBytes } from 'node:crypto';
import { createCertificateRequest, createKey } from '@drover/cloud-sandbox/kubernetes';
import {
  budget,
  createCluster,
  deployment,
  startNodes,
} from '@drover/cloud-sandbox/test/kubernetes/support.ts';
import { describe, expect, it } from 'vitest';
import { identityOf } from '../../../shared/draining/pod-facts.ts';
import { listAllBudgets } from '../../../shared/kubernetes/all-budgets.ts';
import { createApi } from '../../../shared/kubernetes/api.ts';
import { certificateCalls } from '../../../shared/kubernetes/certificates.ts';
import { createKubernetesClient } from '../../../shared/kubernetes/client.ts';
import { createPlanCluster } from '../../../shared/kubernetes/plan-cluster.ts';

/** The production client on a cluster that serves what Kubernetes 1.11 served, and what the client asked. */
async function clusterWithWeb(release?: '1.11') {
  const world = createCluster(release && { release });
  startNodes(world.kubernetes, ['node-1']);
  await world.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 3));
  world.seconds(10);
  const asked: string[] = [];
  const connection = { server: 'https://api.test', tls: {}, bearerToken: world.kubernetes.adminToken };
  const options = {
    connections: { connect: () => Promise.resolve(connection), invalidate: () => undefined },
    sendHttp: (request: Parameters<typeof world.kubernetes.sendHttp>[0]) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return world.kubernetes.sendHttp(request);
    },
    clock: world.clock,
  };
  const cluster = createKubernetesClient(options);
  const [first, second] = (await cluster.listPodsOnNode('node-1', 'consistent')).map(identityOf);
  if (!first || !second) throw new Error('node-1 has no pods');
  asked.length = 0;
  return { ...world, options, cluster, asked, first, second };
}

describe('the client on Kubernetes 1.11', () => {
  it('evicts in the version that discovery names, which it asks for once', async () => {
    const { cluster, asked, first, second } = await clusterWithWeb('1.11');
    expect(await cluster.evictPod(first)).toEqual({ kind: 'evicted' });
    expect(await cluster.evictPod(second)).toEqual({ kind: 'evicted' });
    const eviction = (name: string) => `POST /api/v1/namespaces/default/pods/${name}/eviction`;
    expect(asked).toEqual([eviction(first.name), 'GET /api/v1', eviction(first.name), eviction(second.name)]);
  });

  it('respects budgets, and reads those of v1beta1', async () => {
    const { cluster, options, call, seconds, first } = await clusterWithWeb('1.11');
    const path = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
    const { apiVersion: _, ...body } = budget('web', 'web', { minAvailable: 3 });
    expect(await call('POST', path, { ...body, apiVersion: 'policy/v1beta1' })).toMatchObject({
      status: 201,
    });
    seconds(1);
    expect(await cluster.evictPod(first)).toMatchObject({ kind: 'held' });
    expect(await cluster.listPodDisruptionBudgets('default')).toHaveLength(1);
    expect(await listAllBudgets(options)).toHaveLength(1);
  });

  it('reads Nodes, their metadata and their attachments, in the versions that there are', async () => {
    const { cluster, asked } = await clusterWithWeb('1.11');
    expect((await cluster.listNodes()).map(({ metadata }) => metadata?.name)).toEqual(['node-1']);
    expect(await cluster.listNodeMetadata('kubernetes.io/hostname')).toMatchObject([{ name: 'node-1' }]);
    expect(await cluster.listVolumeAttachments('node-1')).toEqual([]);
    expect(asked.slice(-3)).toEqual([
      'GET /apis/storage.k8s.io/v1/volumeattachments',
      'GET /apis/storage.k8s.io/v1beta1',
      'GET /apis/storage.k8s.io/v1beta1/volumeattachments',
    ]);
  });

  it('reads the lists of a plan, and no CSINode, which 1.11 does not know', async () => {
    const { options } = await clusterWithWeb('1.11');
    const plan = createPlanCluster(options);
    for (const list of [
      plan.listCsiNodes,
      plan.listVolumeAttachments,
      plan.listStorageClasses,
      plan.listDaemonSets,
    ])
      expect(await list((item: unknown) => item)).toEqual({ status: 'read', items: [] });
    expect(await plan.listNamespaces((item) => item)).toMatchObject({ status: 'read' });
  });

  it('asks a current server for no discovery document', async () => {
    const { cluster, asked, first } = await clusterWithWeb();
    await cluster.evictPod(first);
    await cluster.listPodDisruptionBudgets('default');
    await cluster.listVolumeAttachments('node-1');
    expect(asked).toHaveLength(3);
  });
});

describe('certificate requests on Kubernetes 1.11', () => {
  const requests = '/apis/certificates.k8s.io/v1beta1/certificatesigningrequests';

  async function clusterWithRequest(usages: readonly string[]) {
    const { options, call } = await clusterWithWeb('1.11');
    const pem = createCertificateRequest({
      key: createKey(randomBytes),
      subject: { organizations: ['system:nodes'], commonName: 'system:node:node-1' },
    });
    const created = await call('POST', requests, {
      apiVersion: 'certificates.k8s.io/v1beta1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'csr-1', labels: { kept: 'yes' } },
      spec: { request: Buffer.from(pem).toString('base64'), usages },
    });
    expect([created.status, JSON.parse(created.body).spec.signerName]).toEqual([201, undefined]);
    const calls = certificateCalls(createApi(options));
    const [request] = await calls.listRequests();
    if (request === undefined) throw new Error('there is no request');
    return { calls, call, request };
  }

  it('have the signer of their usages, and are approved by an update that keeps their labels', async () => {
    const { calls, call, request } = await clusterWithRequest(['digital signature', 'client auth']);
    expect(request).toMatchObject({
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      withoutSigner: { labels: { kept: 'yes' } },
    });
    const approval = { type: 'Approved', reason: 'DroverApproved', message: 'Drover: it may' } as const;
    expect(await calls.approveOrDeny({ ...request }, approval)).toBe('written');
    const written = JSON.parse((await call('GET', `${requests}/csr-1`)).body);
    expect(written.metadata.labels).toEqual({ kept: 'yes' });
    expect(written.status.conditions).toMatchObject([approval]);
    expect(await calls.approveOrDeny(request, { ...approval, type: 'Denied' })).toBe('changed-meanwhile');
  });

  it('for a server are those of the serving signer', async () => {
    const { request } = await clusterWithRequest(['digital signature', 'server auth']);
    expect(request.signerName).toBe('kubernetes.io/kubelet-serving');
  });
});
