import { expect, it } from 'vitest';
import { createApi } from '../../../shared/kubernetes/api.ts';

const forbidden = (
  name: string,
  right = 'cannot patch resource "nodes" in API group "" at the cluster scope',
) => ({
  status: 403,
  headers: {},
  body: JSON.stringify({
    kind: 'Status',
    code: 403,
    reason: 'Forbidden',
    message: `nodes "${name}" is forbidden: User "drover" ${right}`,
  }),
});
const found = { status: 200, headers: {}, body: '{}' };
const away = { status: 503, headers: {}, body: '' };

type Answer = { readonly status: number; readonly headers: object; readonly body: string } | 'unreachable';

/** An API server that gives these answers, and then the last one for ever. */
function apiWith(answers: readonly Answer[], { patient = true } = {}) {
  const left = [...answers];
  const sent: string[] = [];
  const pauses: number[] = [];
  const api = createApi({
    connections: {
      connect: async () => ({ server: 'https://api', tls: {}, bearerToken: 'secret' }),
      invalidate: () => undefined,
    },
    sendHttp: async ({ url }) => {
      sent.push(new URL(url).pathname);
      const answer = (left.length > 1 ? left.shift() : left[0]) ?? found;
      if (answer === 'unreachable') throw new Error('ECONNREFUSED');
      return { ...answer, headers: {} };
    },
    ...(patient && { pause: async (milliseconds: number) => void pauses.push(milliseconds) }),
  });
  const get = async (path = '/api/v1/nodes/a'): Promise<number> =>
    (await api.exchange({ method: 'GET', path })).status;
  return { get, sent, pauses };
}

// https://github.com/kubernetes/kubernetes/issues/121635
it('a right that is refused only while an API server starts is not missing', async () => {
  const { get, sent, pauses } = apiWith([forbidden('a'), found]);
  expect(await get()).toBe(200);
  expect(sent).toHaveLength(2);
  expect(pauses).toEqual([2000]);
});

it('a right that is missing costs one request more, whatever the names of its objects', async () => {
  const { get, sent, pauses } = apiWith([forbidden('a'), forbidden('a'), forbidden('b')]);
  expect([await get(), await get('/api/v1/nodes/b'), await get('/api/v1/nodes/c')]).toEqual([403, 403, 403]);
  expect(sent).toHaveLength(4);
  expect(pauses).toHaveLength(1);
});

it('another right, or another namespace, is asked about again', async () => {
  const one = forbidden('a', 'cannot get resource "deployments" in API group "apps" in the namespace "shop"');
  const other = forbidden(
    'a',
    'cannot get resource "deployments" in API group "apps" in the namespace "jobs"',
  );
  const { get, pauses } = apiWith([one, one, other, found]);
  expect([await get(), await get()]).toEqual([403, 200]);
  expect(pauses).toHaveLength(2);
});

it.each<[string, Answer]>([
  ['did not answer', 'unreachable'],
  ['could not answer', away],
])('a known refusal is asked about again after the API server %s', async (_, outage) => {
  const { get, pauses } = apiWith([forbidden('a'), forbidden('a'), outage, forbidden('a'), found]);
  expect(await get()).toBe(403);
  await get().catch(() => undefined);
  expect(await get()).toBe(200);
  expect(pauses).toHaveLength(2);
});

it.each([
  ['of admission', 'admission webhook "policy.example.com" denied the request'],
  [
    'of a namespace that ends',
    'unable to create new content in namespace shop because it is being terminated',
  ],
])('a 403 %s is the answer', async (_, message) => {
  const answer = { status: 403, headers: {}, body: JSON.stringify({ kind: 'Status', code: 403, message }) };
  const { get, sent } = apiWith([answer]);
  expect(await get()).toBe(403);
  expect(sent).toHaveLength(1);
});

it('a command, which does not wait, gets the first refusal', async () => {
  const { get, sent } = apiWith([forbidden('a'), found], { patient: false });
  expect(await get()).toBe(403);
  expect(sent).toHaveLength(1);
});
