import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectRefusal } from '../expectations.ts';
import { inGroup, made, nameOf } from '../objects.ts';
import type { Answer, KubernetesWorld } from '../world.ts';

const anonymous = { authorization: '' };
const rbac = 'rbac.authorization.k8s.io';

interface Denied {
  readonly verb: string;
  readonly resource: string;
  readonly group?: string;
  readonly name?: string;
  readonly where: string;
  readonly user?: string;
}

function expectDenied(answer: Answer, denied: Denied): void {
  const { verb, resource, group = '', name, where, user = 'system:anonymous' } = denied;
  const [kind = ''] = resource.split('/');
  const subject = group === '' ? kind : `${kind}.${group}`;
  expectRefusal(answer, {
    code: 403,
    reason: 'Forbidden',
    message: `${subject}${name === undefined ? '' : ` "${name}"`} is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`,
    details: { ...(name !== undefined && { name }), ...(group !== '' && { group }), kind },
  });
}

const cluster = 'at the cluster scope';

/** A ServiceAccount `bot` with the rules of a Role, and its token. */
async function startBot(world: KubernetesWorld, rules: readonly object[]) {
  const namespace = await world.namespace();
  await made(world, `${namespace}/serviceaccounts`, { metadata: { name: 'bot' } });
  const group = inGroup(namespace, `${rbac}/v1`);
  await made(world, `${group}/roles`, { metadata: { name: 'bot' }, rules });
  await made(world, `${group}/rolebindings`, {
    metadata: { name: 'bot' },
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'bot' },
    subjects: [{ kind: 'ServiceAccount', name: 'bot', namespace: nameOf(namespace) }],
  });
  const { status } = await made(world, `${namespace}/serviceaccounts/bot/token`, {});
  const headers = { authorization: `Bearer ${status.token}` };
  const user = `system:serviceaccount:${nameOf(namespace)}:bot`;
  const where = `in the namespace "${nameOf(namespace)}"`;
  return { namespace, headers, user, where };
}

/** Which requests are authorized, and the errors of those that are not. */
export const accessCases: Cases<KubernetesWorld> = {
  'a request without credentials is anonymous, and the error names the denied action': async ({
    call,
    get,
    post,
  }) => {
    expectDenied(await get('/api/v1/nodes', anonymous), { verb: 'list', resource: 'nodes', where: cluster });
    const one = { resource: 'nodes', name: 'x', where: cluster };
    expectDenied(await get('/api/v1/nodes/x', anonymous), { ...one, verb: 'get' });
    const patched = await call('PATCH', '/api/v1/nodes/x', { body: {}, headers: anonymous });
    expectDenied(patched, { ...one, verb: 'patch' });
    const inDefault = { where: 'in the namespace "default"' };
    expectDenied(await post('/api/v1/namespaces/default/pods/x/eviction', {}, anonymous), {
      ...inDefault,
      verb: 'create',
      resource: 'pods/eviction',
      name: 'x',
    });
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    expectDenied(await call('DELETE', deployments, { headers: anonymous }), {
      ...inDefault,
      verb: 'deletecollection',
      resource: 'deployments',
      group: 'apps',
    });
    expectDenied(await get('/api/v1/pods?watch=1', anonymous), {
      verb: 'watch',
      resource: 'pods',
      where: cluster,
    });
  },

  'a denial for a Namespace object names that namespace': async ({ get }) => {
    expectDenied(await get('/api/v1/namespaces/default', anonymous), {
      verb: 'get',
      resource: 'namespaces',
      name: 'default',
      where: 'in the namespace "default"',
    });
  },

  'access to a missing resource is denied before it is not found': async ({ get }) => {
    expectDenied(await get('/api/v1/unheard', anonymous), {
      verb: 'list',
      resource: 'unheard',
      where: cluster,
    });
  },

  'access to a non-resource path is denied by path': async ({ get }) => {
    for (const path of ['/api', '/openapi/v3', '/unheard'])
      expectRefusal(await get(path, anonymous), {
        code: 403,
        reason: 'Forbidden',
        message: `forbidden: User "system:anonymous" cannot get path "${path}"`,
        details: {},
      });
  },

  'an unknown token is refused': async ({ get }) => {
    for (const token of ['garbage', 'abcdef.0123456789abcdef'])
      expectRefusal(await get('/api/v1/nodes', { authorization: `Bearer ${token}` }), {
        code: 401,
        reason: 'Unauthorized',
        message: 'Unauthorized',
      });
  },

  'a request with another authorization scheme is anonymous': async ({ get }) => {
    for (const authorization of ['Basic abc', 'Bearer'])
      expectDenied(await get('/api/v1/nodes', { authorization }), {
        verb: 'list',
        resource: 'nodes',
        where: cluster,
      });
  },

  'a role allows its verbs and resources in its namespace': async (world) => {
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
    const { namespace, headers, user, where } = await startBot(world, rules);
    await expect.poll(async () => (await world.get(`${namespace}/pods`, headers)).status).toBe(200);
    expectDenied(await world.get(`${namespace}/pods/x`, headers), {
      verb: 'get',
      resource: 'pods',
      name: 'x',
      where,
      user,
    });
    expectDenied(await world.get('/api/v1/pods', headers), {
      verb: 'list',
      resource: 'pods',
      where: cluster,
      user,
    });
    expectDenied(await world.get(`${namespace}/pods?watch=1`, headers), {
      verb: 'watch',
      resource: 'pods',
      where,
      user,
    });
  },

  'a right to a named object allows a list with that name as field selector': async (world) => {
    const rules = [
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get', 'list'] },
    ];
    const { namespace, headers, user, where } = await startBot(world, rules);
    const list = (query: string) => world.get(`${namespace}/secrets${query}`, headers);
    await expect.poll(async () => (await list('?fieldSelector=metadata.name%3Done')).status).toBe(200);
    const denied = { verb: 'list', resource: 'secrets', where, user };
    expectDenied(await list(''), denied);
    expectDenied(await list('?fieldSelector=metadata.name%3Dtwo'), { ...denied, name: 'two' });
    expect((await world.get(`${namespace}/secrets/one`, headers)).status).toBe(404);
  },

  'a right to a subresource does not include the resource': async (world) => {
    const rules = [{ apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] }];
    const { namespace, headers, user, where } = await startBot(world, rules);
    const evict = () => world.post(`${namespace}/pods/x/eviction`, { metadata: { name: 'x' } }, headers);
    await expect.poll(async () => (await evict()).status).toBe(404);
    expectDenied(await world.post(`${namespace}/pods`, {}, headers), {
      verb: 'create',
      resource: 'pods',
      where,
      user,
    });
  },

  'a user with the right to impersonate can act as another user': async (world) => {
    const as = { 'impersonate-user': 'someone', 'impersonate-group': 'some' };
    const review = await world.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, as);
    expect(review.body.status.userInfo).toEqual({
      username: 'someone',
      groups: ['some', 'system:authenticated'],
    });
    expectDenied(await world.get('/api/v1/nodes', as), {
      verb: 'list',
      resource: 'nodes',
      where: cluster,
      user: 'someone',
    });
  },

  'a denied impersonation names the user': async (world) => {
    const { headers, user } = await startBot(world, []);
    const answer = await world.get('/api/v1/nodes', { ...headers, 'impersonate-user': 'someone' });
    expectRefusal(answer, {
      code: 403,
      reason: 'Forbidden',
      message: `users "someone" is forbidden: User "${user}" cannot impersonate resource "users" in API group "" at the cluster scope`,
      details: { name: 'someone', kind: 'users' },
    });
  },
};
