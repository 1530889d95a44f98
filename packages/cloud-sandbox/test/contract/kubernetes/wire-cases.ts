import { request } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { expectRefusal } from './expectations.ts';
import { configMap, made, names } from './objects.ts';
import type { KubernetesWorld } from './world.ts';

/** The bytes of an answer as they came. */
const bytesOf = ({ url, token, certificateAuthority: ca }: KubernetesWorld, path: string) =>
  new Promise<{ readonly headers: NodeJS.Dict<string | string[]>; readonly bytes: Buffer }>(
    (resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
      const call = request(`${url}${path}`, { headers, ca, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }));
      });
      call.on('error', reject);
      call.end();
    },
  );

/** What is around the bodies: headers, compression, sizes, protobuf. */
export const wireCases: Cases<KubernetesWorld> = {
  'every response has a unique audit id and forbids caching': async ({ get }) => {
    const ids: unknown[] = [];
    for (const path of ['/version', '/readyz', '/api/v1/nodes', '/api/v1/nodes/none', '/unheard']) {
      const { headers } = await get(path);
      expect([path, headers['cache-control']]).toEqual([path, 'no-cache, private']);
      expect(headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
      ids.push(headers['audit-id']);
    }
    expect(new Set(ids).size).toBe(5);
  },

  'the audit id of a response is that of the request': async ({ get }) => {
    const { headers } = await get('/version', { 'audit-id': 'mine' });
    expect(headers['audit-id']).toBe('mine');
  },

  'a response names its flow schema and priority level': async ({ get }) => {
    const { headers } = await get('/api/v1/nodes');
    expect(headers['x-kubernetes-pf-flowschema-uid']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['x-kubernetes-pf-prioritylevel-uid']).toMatch(/^[0-9a-f-]{36}$/);
  },

  'a response of more than 128 KiB is compressed if the client accepts gzip': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    for (const name of ['a', 'b']) await made(world, path, configMap(name, { x: 'y'.repeat(100_000) }));
    const small = await bytesOf(world, `${path}/a`);
    expect(small.headers['content-encoding']).toBeUndefined();
    const large = await bytesOf(world, path);
    expect([large.headers['content-encoding'], large.headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
    const body = JSON.parse(gunzipSync(large.bytes).toString());
    expect(names({ body })).toEqual(expect.arrayContaining(['a', 'b']));
    expect((await world.get(path)).headers['content-encoding']).toBeUndefined();
  },

  'a body of more than 3 MiB is too large': async (world) => {
    const path = `${await world.namespace()}/configmaps`;
    const answer = await world.post(path, configMap('a', { x: 'y'.repeat(3 * 1024 * 1024) }));
    expectRefusal(answer, {
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: limit is 3145728',
    });
  },

  'a client that accepts protobuf gets protobuf': async ({ get }) => {
    const accept = 'application/vnd.kubernetes.protobuf,application/json';
    const { headers, text } = await get('/api/v1/namespaces/default', { accept });
    expect([headers['content-type'], text.slice(0, 4)]).toEqual([
      'application/vnd.kubernetes.protobuf',
      'k8s\0',
    ]);
  },

  'a path with an invalid escape is refused': async ({ get }) => {
    const { status, text } = await get('/api/v1/nodes/a%zz');
    expect([status, text]).toEqual([400, '400 Bad Request']);
  },

  'an unknown HTTP method is not allowed': async ({ call }) => {
    for (const method of ['OPTIONS', 'TRACE']) expect((await call(method, '/api/v1/nodes')).status).toBe(405);
  },
};
