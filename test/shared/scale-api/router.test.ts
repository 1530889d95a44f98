import { describe, expect, it } from 'vitest';
import { httpEvent } from '../../../local/world/http-event.ts';
import { json, readHttpCall } from '../../../shared/scale-api/http-call.ts';
import { createRouter } from '../../../shared/scale-api/router.ts';

const named = (name: string, method: 'GET' | 'PUT', path: string) => ({
  method,
  path,
  role: method === 'PUT' ? ('operator' as const) : ('viewer' as const),
  summary: '',
  answers: {},
  answer: async (_: unknown, __: unknown, parameters: object) => json(200, { name, ...parameters }),
});

const route = createRouter({
  routes: [
    named('list', 'GET', '/groups'),
    named('one', 'GET', '/groups/{group}'),
    named('status', 'GET', '/groups/{group}/capacity'),
    named('set', 'PUT', '/groups/{group}/capacity'),
  ],
  context: undefined,
  callerRoleOf: () => 'admin',
});

const answer = async (method: string, path: string): Promise<unknown> =>
  JSON.parse((await route(readHttpCall(httpEvent(method, path)))).body);

describe('the router', () => {
  it.each([
    ['GET', '/groups', { name: 'list' }],
    ['GET', '/groups/workers', { name: 'one', group: 'workers' }],
    ['GET', '/groups/team/workers', { name: 'one', group: 'team/workers' }],
    ['GET', '/groups/workers/capacity', { name: 'status', group: 'workers' }],
    ['PUT', '/groups/team/workers/capacity', { name: 'set', group: 'team/workers' }],
    ['GET', '/groups/a/b', { name: 'one', group: 'a/b' }],
  ])('finds %s %s', async (method, path, expected) => {
    expect(await answer(method, path)).toEqual(expected);
  });

  it.each(['/', '/group', '/groups/', '/other', '/x/groups', '/groupsandmore'])(
    'has no route for %s',
    async (path) => {
      await expect(answer('GET', path)).rejects.toMatchObject({ problem: { status: 404 } });
    },
  );

  it('names the allowed methods of a path', async () => {
    await expect(answer('DELETE', '/groups/workers/capacity')).rejects.toMatchObject({
      problem: { status: 405 },
      headers: { allow: 'GET, PUT' },
    });
    await expect(answer('PUT', '/groups')).rejects.toMatchObject({ headers: { allow: 'GET' } });
  });
});
