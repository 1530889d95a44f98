import { describe, expect, it } from 'vitest';
import { bodyOf, createCluster, deployment, startNodes } from './support.ts';

const pods = '/api/v1/namespaces/default/pods';
const pod = (name: string, extra: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'example' }], terminationGracePeriodSeconds: 30 },
  ...extra,
});

describe('writes', () => {
  it('give an object its UID, its time in whole seconds and its resourceVersion', async () => {
    const { call } = createCluster();
    const { status, body } = await call('POST', pods, pod('a'));
    expect(status).toBe(201);
    const { metadata } = JSON.parse(body);
    expect(metadata).toMatchObject({
      name: 'a',
      namespace: 'default',
      creationTimestamp: '2026-03-01T10:00:00Z',
    });
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(0);
    expect((await call('POST', pods, pod('a'))).status).toBe(409);
  });

  it('with an old version, a wrong name or a malformed body are refused with the reason of the real server', async () => {
    const { call } = createCluster();
    const created = bodyOf(await call('POST', pods, pod('a')));
    await call(
      'PATCH',
      `${pods}/a`,
      { metadata: { labels: { x: 'y' } } },
      { 'content-type': 'application/merge-patch+json' },
    );
    const stale = await call('PUT', `${pods}/a`, created);
    expect([stale.status, bodyOf(stale).reason]).toEqual([409, 'Conflict']);
    expect((await call('POST', pods, pod('Not_A_Name'))).status).toBe(422);
    expect((await call('POST', pods, '{')).status).toBe(400);
    expect((await call('POST', pods, { metadata: { name: 7 } })).status).toBe(400);
    expect((await call('POST', '/api/v1/namespaces/none/pods', pod('a'))).status).toBe(404);
    expect((await call('GET', '/api/v1/unheard-of')).status).toBe(404);
    expect((await call('GET', '/api/v1/pods/%E0%A4%A')).status).toBe(400);
  });

  it('of a dry run are answered and not stored', async () => {
    const { call } = createCluster();
    expect((await call('POST', `${pods}?dryRun=All`, pod('a'))).status).toBe(201);
    expect((await call('GET', `${pods}/a`)).status).toBe(404);
  });

  it('that change nothing keep the resourceVersion', async () => {
    const { call } = createCluster();
    const before = bodyOf(await call('POST', pods, pod('a')));
    const after = bodyOf(await call('PUT', `${pods}/a`, before));
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });
});

describe('deletion', () => {
  it('gives a bound pod its grace period, which later requests can only shorten', async () => {
    const { call, kubernetes, seconds } = createCluster();
    startNodes(kubernetes, ['a']);
    await call('POST', pods, pod('p'));
    seconds(3);
    const marked = bodyOf(await call('DELETE', `${pods}/p`));
    expect(marked.metadata).toMatchObject({
      deletionGracePeriodSeconds: 30,
      deletionTimestamp: '2026-03-01T10:00:33Z',
    });
    await call('DELETE', `${pods}/p`, { gracePeriodSeconds: 60 });
    expect(bodyOf(await call('GET', `${pods}/p`)).metadata.deletionGracePeriodSeconds).toBe(30);
    const shortened = bodyOf(await call('DELETE', `${pods}/p`, { gracePeriodSeconds: 5 }));
    expect(shortened.metadata).toMatchObject({
      deletionGracePeriodSeconds: 5,
      deletionTimestamp: '2026-03-01T10:00:08Z',
    });
    seconds(6);
    expect((await call('GET', `${pods}/p`)).status).toBe(404);
  });

  it('waits for finalizers, even with a grace period of zero', async () => {
    const { call, seconds } = createCluster();
    await call('POST', pods, pod('p', { metadata: { name: 'p', finalizers: ['example.com/hold'] } }));
    await call('DELETE', `${pods}/p`, { gracePeriodSeconds: 0 });
    seconds(100);
    expect((await call('GET', `${pods}/p`)).status).toBe(200);
    await call(
      'PATCH',
      `${pods}/p`,
      { metadata: { finalizers: null } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect((await call('GET', `${pods}/p`)).status).toBe(404);
  });

  it('of a Node checks its UID', async () => {
    const { call, kubernetes } = createCluster();
    startNodes(kubernetes, ['a']);
    const { status } = await call('DELETE', '/api/v1/nodes/a', { preconditions: { uid: 'other' } });
    expect(status).toBe(409);
    const node = bodyOf(await call('GET', '/api/v1/nodes/a'));
    const deleted = await call('DELETE', '/api/v1/nodes/a', { preconditions: { uid: node.metadata.uid } });
    expect(bodyOf(deleted)).toMatchObject({ status: 'Success', details: { name: 'a', kind: 'nodes' } });
  });

  it('of an owner deletes its dependents', async () => {
    const { call, kubernetes, seconds } = createCluster();
    startNodes(kubernetes, ['a']);
    await call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 3));
    seconds(5);
    await call('DELETE', '/apis/apps/v1/namespaces/default/deployments/web');
    seconds(20);
    expect(bodyOf(await call('GET', pods)).items).toEqual([]);
    expect(bodyOf(await call('GET', '/apis/apps/v1/replicasets')).items).toEqual([]);
  });
});

describe('lists', () => {
  it('return pages of one revision, whatever is written meanwhile', async () => {
    const { call } = createCluster();
    for (const name of ['a', 'b', 'c']) await call('POST', pods, pod(name));
    const first = bodyOf(await call('GET', `${pods}?limit=2`));
    expect(first.metadata).toMatchObject({ remainingItemCount: 1 });
    await call('POST', pods, pod('d'));
    const second = bodyOf(await call('GET', `${pods}?limit=2&continue=${first.metadata.continue}`));
    expect(second.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['c']);
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    const forgotten = Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"x"}').toString('base64url');
    expect((await call('GET', `${pods}?continue=${forgotten}`)).status).toBe(410);
  });

  it('are filtered by labels and fields', async () => {
    const { call, kubernetes, seconds } = createCluster();
    startNodes(kubernetes, ['a', 'b']);
    await call('POST', pods, pod('p', { metadata: { name: 'p', labels: { app: 'x' } } }));
    await call('POST', pods, pod('q', { metadata: { name: 'q', labels: { app: 'y' } } }));
    seconds(3);
    const names = async (query: string) =>
      bodyOf(await call('GET', `/api/v1/pods?${query}`)).items.map(
        (item: { metadata: { name: string } }) => item.metadata.name,
      );
    expect(await names(`labelSelector=${encodeURIComponent('app in (x, z),!gone')}`)).toEqual(['p']);
    const bound = bodyOf(await call('GET', `${pods}/q`)).spec.nodeName;
    expect(await names(`fieldSelector=spec.nodeName%3D${bound}`)).toContain('q');
    expect(await names('fieldSelector=metadata.name%21%3Dp')).toEqual(['q']);
    expect((await call('GET', '/api/v1/pods?fieldSelector=spec.unknown%3Da')).status).toBe(400);
  });

  it('can contain metadata only, or a table', async () => {
    const { call, kubernetes } = createCluster();
    startNodes(kubernetes, ['a']);
    const partial = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };
    const metadata = bodyOf(await call('GET', '/api/v1/nodes', undefined, partial));
    expect(metadata.kind).toBe('PartialObjectMetadataList');
    expect(Object.keys(metadata.items[0])).toEqual(['kind', 'apiVersion', 'metadata']);
    const table = bodyOf(
      await call('GET', '/api/v1/nodes', undefined, {
        accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
      }),
    );
    expect(table.rows[0].cells.slice(0, 2)).toEqual(['a', 'NotReady']);
  });
});

describe('requests', () => {
  it('are counted by verb and resource, with the bytes of their answers', async () => {
    const { call, kubernetes } = createCluster();
    await call('GET', '/api/v1/nodes?limit=500');
    await call('GET', '/api/v1/nodes');
    const count = kubernetes.requests.counts().get('list nodes');
    expect(count?.requests).toBe(2);
    expect(count?.responseBytes).toBeGreaterThan(0);
  });

  it('fail with the fault that a test injects', async () => {
    const { call, kubernetes } = createCluster();
    kubernetes.setBeforeRequest(() => ({ status: 503, headers: {}, body: 'away' }));
    expect((await call('GET', '/api/v1/nodes')).status).toBe(503);
    kubernetes.setBeforeRequest(() => {
      throw new Error('connection refused');
    });
    await expect(call('GET', '/api/v1/nodes')).rejects.toThrow('connection refused');
    kubernetes.setBeforeRequest(undefined);
    expect((await call('GET', '/api/v1/nodes')).status).toBe(200);
  });
});
