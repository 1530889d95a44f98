import { createGroup, groupOf } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { describe, expect, it } from 'vitest';
import { type CallerRole, callerRoles } from '../../../shared/scale-api/caller-roles.ts';
import { routes } from '../../../shared/scale-api/routes.ts';
import { createScaleApiWorld, workerTags } from './scale-api-world.ts';

const sessionOf = (role: string) => `arn:aws:sts::123456789012:assumed-role/${role}/ann`;
const principals = callerRoles.map((role) => `${role}=arn:aws:iam::123456789012:role/team/${role}`).join(' ');

/** Calls to AWS are counted, because a refused caller must not cause any. */
function createWorld(options: { readonly principals?: string } = { principals }) {
  const world = createScaleApiWorld(options);
  const calls: string[] = [];
  world.faults.push(({ operation }) => {
    calls.push(operation);
    return undefined;
  });
  return { ...world, calls };
}

/** The least role of each operation. A new operation is added here too. */
const needed: Readonly<Record<string, CallerRole>> = {
  'GET /groups': 'viewer',
  'GET /groups/{group}': 'viewer',
  'GET /groups/{group}/activities': 'viewer',
  'GET /instances': 'viewer',
  'GET /instances/{instanceId}': 'viewer',
  'DELETE /instances/{instanceId}': 'operator',
  'GET /passes': 'viewer',
  'GET /status': 'viewer',
  'GET /groups/{group}/capacity': 'viewer',
  'PUT /groups/{group}/capacity': 'operator',
  'GET /rolls': 'viewer',
  'GET /rolls/{name}': 'viewer',
  'PUT /rolls/{name}': 'operator',
  'PATCH /rolls/{name}': 'operator',
  'GET /holds': 'viewer',
  'GET /groups/{group}/holds': 'viewer',
  'GET /groups/{group}/holds/{name}': 'viewer',
  'PUT /groups/{group}/holds/{name}': 'operator',
  'PATCH /groups/{group}/holds/{name}': 'operator',
  'DELETE /groups/{group}/holds/{name}': 'operator',
  'GET /schedules': 'viewer',
  'GET /schedules/{schedule}': 'viewer',
  'PUT /schedules/{schedule}': 'operator',
  'PATCH /schedules/{schedule}': 'operator',
  'DELETE /schedules/{schedule}': 'operator',
};

const everyRoute = Object.values(routes);
type AnyRoute = (typeof everyRoute)[number];

const nameOf = ({ method, path }: AnyRoute): string => `${method} ${path}`;
const targetOf = ({ path }: AnyRoute): string =>
  path.replace('{group}', 'workers').replace('{name}', 'sale').replace('{instanceId}', 'i-0123456789abcdef0');

it('every operation names the least role that it needs', () => {
  expect(Object.fromEntries(everyRoute.map((route) => [nameOf(route), route.role]))).toEqual(needed);
});

describe.each(everyRoute.map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
  const least = callerRoles.indexOf(needed[name] ?? 'admin');

  it.each(callerRoles.slice(least))('is answered for the role %s', async (role) => {
    const world = createWorld();
    const { status } = await world.send(route.method, targetOf(route), {
      callerArn: sessionOf(role),
      body: '{}',
    });
    expect(status).not.toBe(403);
  });

  it.each([
    ...callerRoles.slice(0, least).map((role) => [`the role ${role}`, sessionOf(role)] as const),
    ['a caller that is not listed', sessionOf('other')] as const,
    ['a request without a caller', null] as const,
  ])('is refused for %s, before anything is read', async (_, callerArn) => {
    const world = createWorld();
    const { status, body } = await world.send(route.method, targetOf(route), { callerArn, body: '{}' });
    expect(status).toBe(403);
    expect(body).toMatchObject({ type: 'https://drover.dev/problems/forbidden' });
    expect(world.calls).toEqual([]);
  });

  it('lets a caller only read if no principal is listed', async () => {
    const { status } = await createWorld({ principals: '' }).send(route.method, targetOf(route), {
      body: '{}',
    });
    expect(status === 403).toBe(route.role !== 'viewer');
  });
});

describe('a path that is written in another way', () => {
  const tricks = [
    '//groups/workers/capacity',
    '/groups//workers/capacity',
    '/groups/workers//capacity',
    '/groups/./workers/capacity',
    '/groups/../groups/workers/capacity',
    '/groups/x/../workers/capacity',
    '/groups/workers%2Fcapacity',
    '/groups%2Fworkers%2Fcapacity',
    '/groups/%77orkers/capacity',
    '/groups/workers%00/capacity',
    '/groups/workers\u0000/capacity',
    '/groups/workers\n/capacity',
    '/groups/workers/capacity/',
    '/groups/workers/capacity;x=1',
    '/groups/workers/capacity%3FdryRun=true',
    '/GROUPS/workers/capacity',
    '/groups/WORKERS/capacity',
    '/groups/workers/CAPACITY',
    '/groups/workers /capacity',
    `/groups/${'x'.repeat(2000)}/capacity`,
    '/groups/arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:x/capacity',
  ];

  it.each(tricks)('changes nothing, and is refused with 403 or not found: %j', async (path) => {
    const world = createWorld();
    const body = '{"desiredCapacity":5}';
    const viewed = await world.send('PUT', path, { body, callerArn: sessionOf('viewer') });
    expect([403, 404, 405]).toContain(viewed.status);
    const operated = await world.send('PUT', path, { body, callerArn: sessionOf('operator') });
    expect([404, 405]).toContain(operated.status);
    expect(world.calls).not.toContain('SetDesiredCapacity');
    expect(world.group().DesiredCapacity).toBe(2);
  });
});

describe('a change', () => {
  it('is logged with its caller, what it changes, before and after', async () => {
    const world = createWorld();
    await world.send('PUT', '/groups/workers/capacity', {
      body: '{"desiredCapacity":4}',
      callerArn: sessionOf('operator'),
    });
    const record = {
      level: 'info',
      caller: sessionOf('operator'),
      action: 'set capacity',
      subject: 'workers',
      before: { desiredCapacity: 2 },
      after: { desiredCapacity: 4 },
    };
    expect(world.lines.map((line) => JSON.parse(line))).toMatchObject([
      { ...record, message: 'change requested' },
      { ...record, message: 'change made' },
      { message: 'answered', status: 202 },
    ]);
  });

  it('that fails is logged as requested, and not as made', async () => {
    const world = createWorld();
    world.faults.push(({ operation }) => (operation === 'SetDesiredCapacity' ? 'fail-before' : undefined));
    await world.send('PUT', '/groups/workers/capacity', {
      body: '{"desiredCapacity":4}',
      callerArn: sessionOf('operator'),
    });
    const messages = world.lines.map((line) => (JSON.parse(line) as { message: string }).message);
    expect(messages).toEqual(['change requested', 'failed']);
  });

  it.each([
    ['SetDesiredCapacity', /^Auto Scaling does not answer; the change may or may not have been made/],
    ['DescribeAutoScalingGroups', /^Auto Scaling does not answer$/],
  ])('that %s does not answer says whether it may have been made', async (unanswered, detail) => {
    const world = createWorld();
    world.faults.push(({ operation }) => (operation === unanswered ? 'fail-before' : undefined));
    const answer = await world.send('PUT', '/groups/workers/capacity', {
      body: '{"desiredCapacity":4}',
      callerArn: sessionOf('operator'),
    });
    expect(answer).toMatchObject({ status: 503, body: { detail: expect.stringMatching(detail) } });
  });
});

describe('the name of a group', () => {
  it.each(['a/b', 'a%2Fb', '100%', 'a b', 'capacity', 'x/capacity', 'äö'])(
    'may be %j: it is the group that is read and changed',
    async (autoScalingGroupName) => {
      const world = createWorld();
      createGroup(world.cloud, {
        AutoScalingGroupName: autoScalingGroupName,
        MinSize: 0,
        MaxSize: 5,
        DesiredCapacity: 1,
        Tags: workerTags(),
      });
      const options = { callerArn: sessionOf('operator') };
      const capacity = `/groups/${autoScalingGroupName}/capacity`;
      expect(await world.send('GET', capacity, options)).toMatchObject({ body: { autoScalingGroupName } });
      const changed = await world.send('PUT', capacity, { ...options, body: '{"desiredCapacity":3}' });
      expect(changed.status).toBe(202);
      expect(groupOf(world.cloud, autoScalingGroupName)?.DesiredCapacity).toBe(3);
      expect(decodeURIComponent(String(changed.headers.location).split('?')[0] ?? '')).toBe(capacity);
    },
  );
});
