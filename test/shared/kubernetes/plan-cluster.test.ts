import { createCluster, deployment, startNodes } from '@drover/cloud-sandbox/test/kubernetes/support.ts';
import { describe, expect, it } from 'vitest';
import { createPlanCluster } from '../../../shared/kubernetes/plan-cluster.ts';
import type { HttpRequest, HttpResponse } from '../../../shared/net/http.ts';
import { fixedConnection, json, scriptedApi, status } from '../../support/scripted-api.ts';

const nameOf = ({ metadata }: { readonly metadata?: { readonly name?: string } }) => metadata?.name;
const page = (names: readonly string[], next = '') =>
  json(200, { metadata: { continue: next }, items: names.map((name) => ({ metadata: { name } })) });
const scripted = (answer: (request: HttpRequest, index: number) => HttpResponse) => {
  const { requests, sendHttp } = scriptedApi(answer);
  const cluster = createPlanCluster({ connections: fixedConnection(), sendHttp });
  const queries = () => requests.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
  return { cluster, requests, queries };
};
const busy = status({ code: 429, reason: 'TooManyRequests', message: 'too many requests' });
const notFound = status({ code: 404, reason: 'NotFound' });
const denied = status({ code: 403, reason: 'Forbidden', message: 'no' });

/** A simulated cluster, and its lists as a user with these rights sees them. */
function clusterFor(rules: readonly object[]) {
  const world = createCluster();
  const bearerToken = world.kubernetes.addToken({ username: 'me', groups: ['system:authenticated'] });
  const cluster = createPlanCluster({
    connections: {
      connect: () => Promise.resolve({ server: 'https://api.test', tls: {}, bearerToken }),
      invalidate: () => undefined,
    },
    sendHttp: world.kubernetes.sendHttp,
  });
  const allow = async () => {
    const access = '/apis/rbac.authorization.k8s.io/v1';
    await world.call('POST', `${access}/clusterroles`, { metadata: { name: 'reader' }, rules });
    await world.call('POST', `${access}/clusterrolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
      subjects: [{ kind: 'User', name: 'me', apiGroup: 'rbac.authorization.k8s.io' }],
    });
  };
  return { ...world, cluster, allow };
}

describe('the lists of a plan', () => {
  it('are read in pages of 500, pods without those that have finished', async () => {
    const { cluster, requests, queries } = scripted((_, index) =>
      index === 0 ? page(['a', 'b'], 'next') : page(['c']),
    );
    expect(await cluster.listPods((pod) => (nameOf(pod) === 'b' ? undefined : nameOf(pod)))).toEqual([
      'a',
      'c',
    ]);
    expect(queries()).toEqual([
      { fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed', limit: '500' },
      { fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed', limit: '500', continue: 'next' },
    ]);
    expect(requests[0]?.url).toContain('/api/v1/pods?');
  });

  it('begin again if the continue token has expired, and no object counts twice', async () => {
    const answers = [
      page(['a', 'old'], 'one'),
      status({ code: 410, reason: 'Expired' }),
      page(['a', 'new'], 'two'),
      page(['c']),
    ];
    const { cluster } = scripted((_, index) => answers[index] ?? busy);
    expect(await cluster.listPods(nameOf)).toEqual(['a', 'new', 'c']);
  });

  it.each([
    ['throttled', busy],
    ['unavailable', status({ code: 503 })],
    ['expired', status({ code: 410, reason: 'Expired' })],
    ['forbidden', denied],
  ])('reject if a page of the pods fails: %s', async (kind, answer) => {
    const { cluster } = scripted(({ url }) => (url.includes('continue') ? answer : page(['a'], 'next')));
    await expect(cluster.listPods(nameOf)).rejects.toMatchObject({ name: 'KubernetesError', kind });
  });

  it.each([
    ['the right to list them is missing', denied, 'forbidden'],
    [
      'the cluster lacks the API',
      status({ code: 404, reason: 'NotFound' }),
      'the API server does not serve them',
    ],
  ])('are absent if %s', async (_, answer, reason) => {
    const { cluster } = scripted(() => answer);
    expect(await cluster.listCsiNodes(nameOf)).toEqual({ status: 'absent', reason });
  });

  it('have the CSINodes of v1beta1 on a server that has no others', async () => {
    const { cluster, requests } = scripted(({ url }) => {
      if (url.includes('/v1beta1/csinodes')) return page(['a']);
      return url.endsWith('/v1beta1') ? json(200, { resources: [{ name: 'csinodes' }] }) : notFound;
    });
    expect(await cluster.listCsiNodes(nameOf)).toEqual({ status: 'read', items: ['a'] });
    expect(requests).toHaveLength(3);
  });

  it('are absent, not empty, if CSINodes are not found on a server that has them', async () => {
    const resources = [{ name: 'storageclasses' }, { name: 'csinodes' }];
    const { cluster } = scripted(({ url }) => (url.endsWith('/v1') ? json(200, { resources }) : notFound));
    expect(await cluster.listCsiNodes(nameOf)).toMatchObject({ status: 'absent' });
  });

  it('reject instead of being absent if the server is busy, because a limit would be left out', async () => {
    const { cluster } = scripted(() => busy);
    await expect(cluster.listCsiNodes(nameOf)).rejects.toMatchObject({ kind: 'throttled' });
    await expect(cluster.listNodes(nameOf)).rejects.toMatchObject({ kind: 'throttled' });
  });
});

describe('the lists of a simulated cluster', () => {
  const readAll = { apiGroups: ['*'], resources: ['*'], verbs: ['list'] };

  it('have all that a plan reads', async () => {
    const { cluster, allow, call, kubernetes, seconds } = clusterFor([readAll]);
    await allow();
    startNodes(kubernetes, ['node-1']);
    await call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 2));
    await call('POST', '/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: 'gp3' },
      provisioner: 'ebs',
    });
    seconds(10);
    const namespaces = await cluster.listNamespaces((namespace) => Object.keys(namespace).includes('spec'));
    expect(await cluster.listNodes(nameOf)).toEqual(['node-1']);
    expect(await cluster.listPods(({ spec }) => spec?.nodeName)).toEqual(['node-1', 'node-1']);
    expect(namespaces).toMatchObject({ status: 'read', items: expect.not.arrayContaining([true]) });
    expect(await cluster.listStorageClasses(nameOf)).toEqual({ status: 'read', items: ['gp3'] });
    for (const list of [
      cluster.listDaemonSets,
      cluster.listPersistentVolumes,
      cluster.listPersistentVolumeClaims,
      cluster.listCsiNodes,
      cluster.listVolumeAttachments,
    ])
      expect(await list(nameOf)).toMatchObject({ status: 'read' });
  });

  it('are absent one by one for a user with few rights', async () => {
    const { cluster, allow } = clusterFor([
      { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['list'] },
    ]);
    await expect(cluster.listNodes(nameOf)).rejects.toMatchObject({ kind: 'forbidden' });
    await allow();
    expect(await cluster.listNodes(nameOf)).toEqual([]);
    expect(await cluster.listPods(nameOf)).toEqual([]);
    for (const list of [cluster.listNamespaces, cluster.listDaemonSets, cluster.listCsiNodes])
      expect(await list(nameOf)).toEqual({ status: 'absent', reason: 'forbidden' });
  });
});
