import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import {
  expectMethodNotAllowed,
  expectNoSuchResource,
  expectNotFound,
  expectRefusal,
} from './expectations.ts';
import { configMap, made } from './objects.ts';
import type { Answer, KubernetesWorld } from './world.ts';

function expectPageNotFound({ status, headers, text }: Answer): void {
  expect([status, headers['content-type'], text]).toEqual([
    404,
    'text/plain; charset=utf-8',
    '404 page not found\n',
  ]);
}

const pods = '/api/v1/namespaces/default/pods';

/** Which paths exist, and the answers for those that do not. */
export const pathCases: Cases<KubernetesWorld> = {
  'a missing object is a 404 with its name and resource': async ({ get }) => {
    expectNotFound(await get(`${pods}/none`), 'pods', 'none');
    expectNotFound(await get('/api/v1/nodes/none'), 'nodes', 'none');
    expectNotFound(await get('/api/v1/nodes/none/status'), 'nodes', 'none');
    expectRefusal(await get('/apis/apps/v1/namespaces/default/deployments/none'), {
      code: 404,
      reason: 'NotFound',
      message: 'deployments.apps "none" not found',
      details: { name: 'none', group: 'apps', kind: 'deployments' },
    });
  },

  'a missing resource, version or subresource is a 404 without a name': async ({ get }) => {
    for (const path of [
      '/api/v1/unheard',
      '/api/v2',
      '/apis/apps/v1/unheard',
      '/apis/apps/v2',
      '/api/v1/namespaces/default/unheard/x',
      '/api/v1/nodes/none/unheard',
      `${pods}/none/unheard`,
    ])
      expectNoSuchResource(await get(path));
  },

  'a missing API group or an unknown path is a plain 404 page': async ({ get }) => {
    for (const path of ['/apis/unheard', '/apis/unheard/v1', '/unheard', '//api/v1/nodes'])
      expectPageNotFound(await get(path));
  },

  'a namespaced object cannot be read without its namespace': async ({ get }) => {
    expectNoSuchResource(await get('/api/v1/pods/none'));
  },

  'an escaped slash in a name is refused': async ({ get }) => {
    expectNoSuchResource(await get(`${pods}/a%2Fb`));
  },

  'a list in a missing namespace is empty': async ({ get }) => {
    const { status, body } = await get('/api/v1/namespaces/unheard/pods');
    expect([status, body.kind, body.apiVersion, body.items]).toEqual([200, 'PodList', 'v1', []]);
  },

  'a collection path can have a trailing slash': async ({ get }) => {
    expect((await get('/api/v1/nodes/')).body.kind).toBe('NodeList');
    expect((await get(`${pods}/`)).body.kind).toBe('PodList');
  },

  'a namespaced object can be created, changed and deleted only in a namespace': async ({ call }) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expectMethodNotAllowed(await call(method, '/api/v1/pods', method === 'DELETE' ? {} : { body: {} }));
  },

  'namespaces cannot be deleted as a collection': async (world) => {
    expectMethodNotAllowed(await world.delete('/api/v1/namespaces'));
  },

  'a collection cannot be put or patched': async ({ put, patch }) => {
    expectMethodNotAllowed(await put(pods, {}));
    expectMethodNotAllowed(await patch(pods, 'merge', {}));
  },

  'POST to an object or its status is not allowed': async ({ post }) => {
    expectMethodNotAllowed(await post(`${pods}/x`, {}));
    expectMethodNotAllowed(await post(`${pods}/x/status`, {}));
  },

  'a status or a scale cannot be deleted': async (world) => {
    expectMethodNotAllowed(await world.delete('/api/v1/nodes/none/status'));
    expectMethodNotAllowed(await world.delete('/apis/apps/v1/namespaces/default/deployments/none/scale'));
  },

  'evictions, bindings and tokens accept only POST': async ({ get, put }) => {
    for (const path of [`${pods}/x/eviction`, `${pods}/x/binding`])
      for (const answer of [await get(path), await put(path, {})]) expectMethodNotAllowed(answer);
    expectMethodNotAllowed(await get('/api/v1/namespaces/default/serviceaccounts/default/token'));
  },

  'reviews accept only POST, and have no names': async ({ get, post }) => {
    const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    expectMethodNotAllowed(await get(reviews));
    expectNoSuchResource(await post(`${reviews}/x`, {}));
  },

  'the version and the discovery accept only GET': async (world) => {
    for (const path of ['/version', '/api']) expectMethodNotAllowed(await world.delete(path));
  },

  'the watch parameter on a named object is ignored': async (world) => {
    const namespace = await world.namespace();
    await made(world, `${namespace}/configmaps`, configMap('a'));
    const { status, body } = await world.get(`${namespace}/configmaps/a?watch=1&timeoutSeconds=1`);
    expect([status, body?.kind, body?.metadata.name]).toEqual([200, 'ConfigMap', 'a']);
  },

  'health checks answer everyone with text': async ({ get }) => {
    for (const path of ['/readyz', '/livez', '/healthz']) {
      const { status, headers, text } = await get(path, { authorization: '' });
      expect([status, headers['content-type'], text]).toEqual([200, 'text/plain; charset=utf-8', 'ok']);
    }
  },

  'an unknown health check is a 404 page': async ({ get }) => {
    expectPageNotFound(await get('/healthz/unheard'));
  },

  'a verbose health check lists all checks': async ({ get }) => {
    const { text } = await get('/readyz?verbose');
    expect(text).toMatch(/^\[\+\]ping ok\n(.*\n)*readyz check passed\n$/);
  },

  'the version can be read without credentials': async ({ get }) => {
    const { status, body } = await get('/version', { authorization: '' });
    expect(status).toBe(200);
    const [, minor] = /^v1\.(\d+)\.\d+$/.exec(body.gitVersion) ?? [];
    expect(body).toMatchObject({ major: '1', minor, gitTreeState: 'clean' });
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['platform', 'compiler', 'goVersion', 'buildDate']),
    );
  },
};
