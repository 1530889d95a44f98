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

/** Which paths there are, and what is said of those that there are not. */
export const pathCases: Cases<KubernetesWorld> = {
  'an object that is not there is a 404 with its name and resource': async ({ get }) => {
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

  'a resource, a version or a part that is not there is a 404 without a name': async ({ get }) => {
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

  'a group that is not there, or a path of no API, is a page that is not found': async ({ get }) => {
    for (const path of ['/apis/unheard', '/apis/unheard/v1', '/unheard', '//api/v1/nodes'])
      expectPageNotFound(await get(path));
  },

  'an object of a namespace is not found without its namespace': async ({ get }) => {
    expectNoSuchResource(await get('/api/v1/pods/none'));
  },

  'a name with a slash in it is no name': async ({ get }) => {
    expectNoSuchResource(await get(`${pods}/a%2Fb`));
  },

  'a list of a namespace that is not there is empty': async ({ get }) => {
    const { status, body } = await get('/api/v1/namespaces/unheard/pods');
    expect([status, body.kind, body.apiVersion, body.items]).toEqual([200, 'PodList', 'v1', []]);
  },

  'a collection can be named with a slash at its end': async ({ get }) => {
    expect((await get('/api/v1/nodes/')).body.kind).toBe('NodeList');
    expect((await get(`${pods}/`)).body.kind).toBe('PodList');
  },

  'what has namespaces is made, changed and deleted in one of them only': async ({ call }) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expectMethodNotAllowed(await call(method, '/api/v1/pods', method === 'DELETE' ? {} : { body: {} }));
  },

  'namespaces are not deleted as a collection': async (world) => {
    expectMethodNotAllowed(await world.delete('/api/v1/namespaces'));
  },

  'a collection is neither put nor patched': async ({ put, patch }) => {
    expectMethodNotAllowed(await put(pods, {}));
    expectMethodNotAllowed(await patch(pods, 'merge', {}));
  },

  'nothing is posted to an object or to its status': async ({ post }) => {
    expectMethodNotAllowed(await post(`${pods}/x`, {}));
    expectMethodNotAllowed(await post(`${pods}/x/status`, {}));
  },

  'a status is not deleted, nor a scale': async (world) => {
    expectMethodNotAllowed(await world.delete('/api/v1/nodes/none/status'));
    expectMethodNotAllowed(await world.delete('/apis/apps/v1/namespaces/default/deployments/none/scale'));
  },

  'evictions, bindings and tokens are posted and nothing else': async ({ get, put }) => {
    for (const path of [`${pods}/x/eviction`, `${pods}/x/binding`])
      for (const answer of [await get(path), await put(path, {})]) expectMethodNotAllowed(answer);
    expectMethodNotAllowed(await get('/api/v1/namespaces/default/serviceaccounts/default/token'));
  },

  'reviews are posted and nothing else, and have no names': async ({ get, post }) => {
    const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    expectMethodNotAllowed(await get(reviews));
    expectNoSuchResource(await post(`${reviews}/x`, {}));
  },

  'the version and the discovery are only read': async (world) => {
    for (const path of ['/version', '/api']) expectMethodNotAllowed(await world.delete(path));
  },

  'a watch of a path with a name is a read of that object': async (world) => {
    const namespace = await world.namespace();
    await made(world, `${namespace}/configmaps`, configMap('a'));
    const { status, body } = await world.get(`${namespace}/configmaps/a?watch=1&timeoutSeconds=1`);
    expect([status, body?.kind, body?.metadata.name]).toEqual([200, 'ConfigMap', 'a']);
  },

  'health is told to everyone, in words': async ({ get }) => {
    for (const path of ['/readyz', '/livez', '/healthz']) {
      const { status, headers, text } = await get(path, { authorization: '' });
      expect([status, headers['content-type'], text]).toEqual([200, 'text/plain; charset=utf-8', 'ok']);
    }
  },

  'a check of health that is not there is a page that is not found': async ({ get }) => {
    expectPageNotFound(await get('/healthz/unheard'));
  },

  'health is told check by check to who asks for all': async ({ get }) => {
    const { text } = await get('/readyz?verbose');
    expect(text).toMatch(/^\[\+\]ping ok\n(.*\n)*readyz check passed\n$/);
  },

  'the version is told to everyone': async ({ get }) => {
    const { status, body } = await get('/version', { authorization: '' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ major: '1', minor: '34', gitVersion: 'v1.34.4', gitTreeState: 'clean' });
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['platform', 'compiler', 'goVersion', 'buildDate']),
    );
  },
};
