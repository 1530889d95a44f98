import { describe, expect, it } from 'vitest';
import { createKubernetesClient } from '../../../shared/kubernetes/client.ts';
import {
  isConflict,
  isExpired,
  isForbidden,
  isThrottled,
  isUnauthorized,
} from '../../../shared/kubernetes/status.ts';
import { type HttpRequest, type HttpResponse, LongAnswerError } from '../../../shared/net/http.ts';
import { node, pod } from '../../support/pods.ts';
import { fixedConnection, json, scriptedApi, status } from '../../support/scripted-api.ts';

const target = { namespace: 'shop', name: 'web-1', uid: 'uid-1' };

function client(answer: (request: HttpRequest, index: number) => HttpResponse | Promise<HttpResponse>) {
  const connections = fixedConnection();
  const api = scriptedApi(answer);
  const clock = { now: () => Date.parse('2026-11-21T12:00:00Z') };
  return {
    cluster: createKubernetesClient({ connections, sendHttp: api.sendHttp, clock }),
    ...api,
    connections,
  };
}

const bodyOf = (request: HttpRequest | undefined): unknown => JSON.parse(request?.body ?? 'null');
const pathOf = (request: HttpRequest | undefined): string =>
  request?.url.replace('https://api.test:6443/k8s', '') ?? '';

describe('a request', () => {
  it.each([500, 502, 503, 504])(
    'that is answered with %i is sent once: it may have been carried out',
    async (code) => {
      const { cluster, requests } = client(() => status({ code }));
      await cluster.evictPod(target).catch(() => undefined);
      await cluster.deletePod(target, {}).catch(() => undefined);
      await cluster.patchNode('node-1', {}).catch(() => undefined);
      await cluster.getNode('node-1').catch(() => undefined);
      expect(requests.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'PATCH', 'GET']);
    },
  );

  it('goes below the server’s path with the bearer token', async () => {
    const { cluster, requests } = client(() => json(200, node()));
    await cluster.getNode('node-1');
    expect(requests[0]).toMatchObject({
      url: 'https://api.test:6443/k8s/api/v1/nodes/node-1',
      headers: { authorization: 'Bearer token-0', accept: 'application/json' },
    });
  });

  it('never reaches another resource, whatever a name says', async () => {
    const { cluster, requests } = client(() => status({ code: 404 }));
    await cluster.getNode('../../secrets?x=1#');
    expect(pathOf(requests[0])).toBe('/api/v1/nodes/..%2F..%2Fsecrets%3Fx%3D1%23');
  });

  it.each([
    (token: string) => token,
    (token: string) => Buffer.from(token).toString('base64'),
    (token: string) => encodeURIComponent(token),
  ])('never has its token in the error, whatever a server or a proxy quotes', async (encode) => {
    const connections = {
      connect: async () => ({ server: 'https://api.test', tls: {}, bearerToken: 'opaque/token+of=ours' }),
      invalidate: () => undefined,
    };
    const quoted = encode('opaque/token+of=ours').replace(/=+$/, '');
    const { sendHttp } = scriptedApi(() => ({ status: 400, headers: {}, body: `you sent (${quoted})` }));
    const cluster = createKubernetesClient({ connections, sendHttp, clock: { now: () => 0 } });
    const error: unknown = await cluster.getNode('node-1').catch((caught: unknown) => caught);
    expect(String(error)).toContain('you sent (');
    expect(String(error)).not.toContain(quoted);
  });

  it('is sent again with fresh credentials after a 401', async () => {
    const { cluster, requests } = client((_, index) =>
      index === 0 ? status({ code: 401 }) : json(200, node()),
    );
    await expect(cluster.getNode('node-1')).resolves.toMatchObject({ metadata: { name: 'node-1' } });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-0',
      'Bearer token-1',
    ]);
  });

  it('fails after a second 401, with a remedy', async () => {
    const { cluster, requests } = client(() => status({ code: 401, reason: 'Unauthorized' }));
    const error: unknown = await cluster.getNode('node-1').catch((caught: unknown) => caught);
    expect(isUnauthorized(error)).toBe(true);
    expect(error).toMatchObject({ message: expect.stringMatching(/GET \/api\/v1\/nodes\/node-1 .*renew/) });
    expect(requests).toHaveLength(2);
  });

  it('without an answer fails with the server and the cause, and without the token', async () => {
    const { cluster } = client(() => Promise.reject(new Error('connect ECONNREFUSED')));
    const error = await cluster.listNodes().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ kind: 'unreachable', cause: { message: 'connect ECONNREFUSED' } });
    expect(String(error)).toContain('api.test:6443');
    expect(String(error)).not.toContain('token-0');
  });

  it.each([
    [status({ code: 403, reason: 'Forbidden', message: 'nodes is forbidden' }), isForbidden],
    [status({ code: 429, retryAfterSeconds: 3 }), isThrottled],
    [status({ code: 409 }), isConflict],
    [status({ code: 422, causes: [{ field: 'metadata.uid' }] }), isConflict],
  ])('answered with %j fails with the right kind', async (response, isKind) => {
    const { cluster } = client(() => response);
    const error: unknown = await cluster.patchNode('node-1', {}).catch((caught: unknown) => caught);
    expect(isKind(error)).toBe(true);
  });

  it.each([
    [200, 'no json'],
    [200, '{"items":3}'],
    [200, '{"items":[{}]}'],
    [302, 'elsewhere'],
    [503, '<html>bad gateway</html>'],
  ])('answered with %i %s is not a list', async (code, body) => {
    const { cluster } = client(() => ({ status: code, headers: {}, body }));
    await expect(cluster.listNodes()).rejects.toMatchObject({ name: 'KubernetesError' });
  });
});

describe('pods of a node', () => {
  it('are listed from the watch cache in one request', async () => {
    const { cluster, requests } = client(() => json(200, { items: [pod()] }));
    await expect(cluster.listPodsOnNode('node-1', 'cached')).resolves.toHaveLength(1);
    expect(pathOf(requests[0])).toBe('/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-1&resourceVersion=0');
  });

  it('are listed consistently in pages of 500, all of them', async () => {
    const { cluster, requests } = client((_, index) =>
      json(200, {
        metadata: index < 2 ? { continue: `page-${index + 1}` } : {},
        items: [pod({ name: `p${index}` })],
      }),
    );
    const pods = await cluster.listPodsOnNode('node-1', 'consistent');
    expect(pods.map(({ metadata }) => metadata?.name)).toEqual(['p0', 'p1', 'p2']);
    expect(pathOf(requests[2])).toBe(
      '/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-1&limit=500&continue=page-2',
    );
  });

  it('are listed again if a page has expired, but not forever', async () => {
    const expired = status({ code: 410, reason: 'Expired' });
    const once = client((_, index) => {
      if (index === 0) return json(200, { metadata: { continue: 'x' }, items: [pod({ name: 'old' })] });
      return index === 1 ? expired : json(200, { items: [pod({ name: 'new' })] });
    });
    const pods = await once.cluster.listPodsOnNode('node-1', 'consistent');
    expect(pods.map(({ metadata }) => metadata?.name)).toEqual(['new']);
    const ever = client(() => expired);
    const error: unknown = await ever.cluster
      .listPodsOnNode('node-1', 'consistent')
      .catch((caught: unknown) => caught);
    expect(isExpired(error)).toBe(true);
    expect(ever.requests).toHaveLength(3);
  });

  it('are read in smaller pages where an answer is too long, so that large objects hide no others', async () => {
    const limits: (string | null)[] = [];
    const { cluster } = client(({ url }) => {
      const { searchParams } = new URL(url);
      limits.push(searchParams.get('limit'));
      if (Number(searchParams.get('limit')) > 40) throw new LongAnswerError(64);
      const isFirst = searchParams.get('continue') === null;
      return json(200, { metadata: isFirst ? { continue: 'x' } : {}, items: [pod({ name: `${isFirst}` })] });
    });
    const pods = await cluster.listPodsOnNode('node-1', 'consistent');
    expect(pods.map(({ metadata }) => metadata?.name)).toEqual(['true', 'false']);
    expect(limits).toEqual(['500', '40', '40']);
  });

  it('are given up if an answer of the smallest page is too long', async () => {
    const { cluster, requests } = client(() => {
      throw new LongAnswerError(64);
    });
    await expect(cluster.listPodsOnNode('node-1', 'consistent')).rejects.toThrow('no answer from');
    expect(requests).toHaveLength(2);
  });

  it('are given up if the server always promises another page', async () => {
    const { cluster, requests } = client(() => json(200, { metadata: { continue: 'more' }, items: [] }));
    await expect(cluster.listPodsOnNode('node-1', 'consistent')).rejects.toThrow('has more than 400 pages');
    expect(requests).toHaveLength(400);
  });

  it('may be longer than an object', async () => {
    const { cluster, requests } = client(({ method }) =>
      json(200, method === 'GET' ? { items: [] } : node()),
    );
    await cluster.listNodes('cached');
    await cluster.listNodes('consistent');
    await cluster.listPodsOnNode('node-1', 'cached');
    await cluster.patchNode('node-1', {});
    expect(requests.map(({ longestAnswerBytes = 0 }) => longestAnswerBytes / 1024 / 1024)).toEqual([
      128, 64, 32, 8,
    ]);
  });

  it('are none if items is null', async () => {
    const { cluster } = client(() => json(200, { items: null }));
    await expect(cluster.listPodsOnNode('node-1', 'cached')).resolves.toEqual([]);
  });
});

describe('an eviction', () => {
  it('contains the pod’s UID and the grace', async () => {
    const { cluster, requests } = client(() => json(201, {}));
    await expect(cluster.evictPod(target, { gracePeriodSeconds: 3 })).resolves.toEqual({ kind: 'evicted' });
    expect(requests[0]?.method).toBe('POST');
    expect(pathOf(requests[0])).toBe('/api/v1/namespaces/shop/pods/web-1/eviction');
    expect(bodyOf(requests[0])).toEqual({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { namespace: 'shop', name: 'web-1' },
      deleteOptions: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid: 'uid-1' },
        gracePeriodSeconds: 3,
      },
    });
  });
});

it('the condition of a pod is given up after a second, because its deletion waits for it', async () => {
  const { cluster, requests } = client(() => json(200, pod()));
  await cluster.markDisrupted(target, 'Drover: deleted');
  expect(requests[0]).toMatchObject({ method: 'PATCH', timeoutMilliseconds: 1000 });
});

describe('a deletion', () => {
  const uidConflict = status({
    code: 409,
    message:
      'Operation cannot be fulfilled on pods "web-1": Precondition failed: UID in precondition: a, UID in object meta: b',
  });

  it.each([
    [json(200, {}), 'deleted'],
    [status({ code: 404 }), 'gone'],
    [uidConflict, 'gone'],
  ])('answered with %j is %s', async (response, expected) => {
    const { cluster, requests } = client(() => response);
    await expect(cluster.deletePod(target, {})).resolves.toBe(expected);
    await expect(cluster.deleteNode({ name: 'node-1', uid: 'uid-2' })).resolves.toBe(expected);
    expect(bodyOf(requests[1])).toMatchObject({ preconditions: { uid: 'uid-2' } });
  });

  it('that fails with another conflict is an error', async () => {
    const { cluster } = client(() => status({ code: 409, message: 'the object has been modified' }));
    await expect(cluster.deleteNode({ name: 'node-1', uid: 'x' })).rejects.toMatchObject({
      kind: 'conflict',
    });
  });
});

describe('a DaemonSet’s look-up', () => {
  it.each([
    [json(200, {}), 'found'],
    [status({ code: 404 }), 'gone'],
    [status({ code: 403, message: 'daemonsets is forbidden' }), { unknown: '403 daemonsets is forbidden' }],
    [status({ code: 500, message: 'etcd' }), { unknown: '500 etcd' }],
  ])('answered with %j is %j', async (response, expected) => {
    const { cluster } = client(() => response);
    await expect(cluster.lookUpDaemonSet('shop', 'agent')).resolves.toEqual(expected);
  });
});

describe('a Node', () => {
  it('that does not exist is undefined, and any other failure is an error', async () => {
    await expect(client(() => status({ code: 404 })).cluster.getNode('x')).resolves.toBeUndefined();
    await expect(client(() => status({ code: 500 })).cluster.getNode('x')).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  it('is changed with a strategic merge patch', async () => {
    const { cluster, requests } = client(() => json(200, node()));
    await cluster.patchNode('node-1', { spec: { unschedulable: true } });
    expect(requests[0]).toMatchObject({
      method: 'PATCH',
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
      body: '{"spec":{"unschedulable":true}}',
    });
  });

  it('with our mark is found by its instance, in one list for all concurrent look-ups', async () => {
    const marked = (instanceId: string) => node({ labels: { 'drover.dev/leaving': instanceId } });
    const { cluster, requests } = client(() => json(200, { items: [marked('i-2'), marked('i-1')] }));
    const found = await Promise.all(['i-1', 'i-2', 'i-3'].map((id) => cluster.getMarkedNode(id)));
    expect(found).toEqual([marked('i-1'), marked('i-2'), undefined]);
    expect(requests).toHaveLength(1);
    // No resourceVersion: the mark decides what is still to be done, and must not be an old one.
    expect([...new URL(`https://api${pathOf(requests[0])}`).searchParams]).toEqual([
      ['labelSelector', 'drover.dev/leaving in (i-1,i-2,i-3)'],
    ]);
  });

  it('with our mark is that of the instance, although another Node has its label', async () => {
    const labelled = (name: string, providerId: string) => ({
      metadata: { name, labels: { 'drover.dev/leaving': 'i-0a1b2c3d4e5f60718' } },
      spec: { providerID: `aws:///eu-west-1a/${providerId}` },
    });
    const own = labelled('a', 'i-0a1b2c3d4e5f60718');
    const other = labelled('b', 'i-0a1b2c3d4e5f60719');
    for (const items of [
      [own, other],
      [other, own],
    ]) {
      const { cluster } = client(() => json(200, { items }));
      expect(await cluster.getMarkedNode('i-0a1b2c3d4e5f60718')).toMatchObject({ metadata: { name: 'a' } });
    }
  });

  it('is listed by label with only its metadata', async () => {
    const { cluster, requests } = client(() =>
      json(200, {
        items: [{ metadata: { name: 'a', uid: 'u', labels: { x: 'y' } } }, { metadata: { name: 'b' } }],
      }),
    );
    await expect(cluster.listNodeMetadata('drover.dev/leaving')).resolves.toEqual([
      { name: 'a', uid: 'u', labels: { x: 'y' }, annotations: {} },
      { name: 'b', uid: '', labels: {}, annotations: {} },
    ]);
    expect(requests[0]?.headers.accept).toContain('as=PartialObjectMetadataList');
    expect(pathOf(requests[0])).toContain('labelSelector=drover.dev%2Fleaving&resourceVersion=0');
  });
});

describe('volumes', () => {
  it('are those attached to the node', async () => {
    const on = (nodeName: string) => ({ metadata: { name: `on-${nodeName}` }, spec: { nodeName } });
    const { cluster } = client(() => json(200, { items: [on('node-1'), on('node-2')] }));
    await expect(cluster.listVolumeAttachments('node-1')).resolves.toEqual([on('node-1')]);
  });

  it('are found by their claim', async () => {
    const claim = (volumeName?: string) => json(200, { metadata: { name: 'data' }, spec: { volumeName } });
    await expect(client(() => claim('pv-1')).cluster.volumeOfClaim('shop', 'data')).resolves.toBe('pv-1');
    await expect(client(() => claim()).cluster.volumeOfClaim('shop', 'data')).resolves.toBeUndefined();
    await expect(
      client(() => status({ code: 404 })).cluster.volumeOfClaim('shop', 'data'),
    ).resolves.toBeUndefined();
    await expect(
      client(() => status({ code: 403 })).cluster.volumeOfClaim('shop', 'data'),
    ).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });
});

describe('budgets and Events', () => {
  it('are read from their namespace', async () => {
    const { cluster, requests } = client(() => json(200, { items: [] }));
    await cluster.listPodDisruptionBudgets('shop');
    expect(pathOf(requests[0])).toContain('/apis/policy/v1/namespaces/shop/poddisruptionbudgets');
  });

  it("are created where kubectl describe node looks, with a message cut to the API server's limit", async () => {
    const { cluster, requests } = client(() => json(201, {}));
    await cluster.recordEvent({
      node: { name: 'node-1', uid: 'uid-1' },
      type: 'Normal',
      reason: 'DroverDrained',
      message: 'x'.repeat(3000),
    });
    expect(pathOf(requests[0])).toBe('/api/v1/namespaces/default/events');
    expect(bodyOf(requests[0])).toMatchObject({
      metadata: { generateName: 'node-1.' },
      involvedObject: { kind: 'Node', name: 'node-1', uid: 'uid-1' },
      message: 'x'.repeat(1024),
      firstTimestamp: '2026-11-21T12:00:00.000Z',
    });
  });
});
