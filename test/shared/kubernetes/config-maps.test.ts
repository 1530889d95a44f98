import { expect, it } from 'vitest';
import { createApi } from '../../../shared/kubernetes/api.ts';
import { configMapData } from '../../../shared/kubernetes/config-maps.ts';

const urls: string[] = [];
const readFrom = (status: number, body: string) =>
  configMapData(
    createApi({
      connections: {
        connect: async () => ({ server: 'https://api', tls: {}, bearerToken: 'secret' }),
        invalidate: () => {},
      },
      sendHttp: async ({ url }) => {
        urls.push(url);
        return { status, headers: {}, body };
      },
    }),
  )('kube-system', 'aws-auth');

it('reads the data of one ConfigMap', async () => {
  const body = JSON.stringify({ kind: 'ConfigMap', data: { mapRoles: '[]' } });
  expect(await readFrom(200, body)).toEqual({ mapRoles: '[]' });
  expect(urls.at(-1)).toBe('https://api/api/v1/namespaces/kube-system/configmaps/aws-auth');
});

it.each(['{"kind":"ConfigMap"}', '{"kind":"ConfigMap","data":null}'])('reads %s as empty', async (body) => {
  expect(await readFrom(200, body)).toEqual({});
});

it('knows a ConfigMap that is missing from one that cannot be read', async () => {
  expect(await readFrom(404, '{"kind":"Status","code":404}')).toBeUndefined();
  await expect(readFrom(403, '{"kind":"Status","code":403}')).rejects.toThrow('aws-auth');
  await expect(readFrom(503, '')).rejects.toThrow('aws-auth');
});

it.each(['<html>', '[]', '{"kind":"Secret","data":{}}', '{"kind":"ConfigMap","data":{"mapRoles":1}}'])(
  'takes %s for no ConfigMap',
  async (body) => {
    await expect(readFrom(200, body)).rejects.toThrow('something that is not a ConfigMap');
  },
);
