import { AwsError } from '@drover/cloud-sandbox/aws';
import { createGroup } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { holdList } from '../../../shared/scale-api/schemas/answers/hold.ts';
import { finished } from '../../support/item-faults.ts';
import { createScaleApiWorld, readyNode, workerTags } from './scale-api-world.ts';

let world: ReturnType<typeof createScaleApiWorld>;

beforeEach(() => {
  world = createScaleApiWorld();
});

const inHours = (hours: number): string =>
  new Date(world.cloud.clock.now() + hours * 3_600_000).toISOString();

const put = (body: object, name = 'sale', query = '') =>
  world.send('PUT', `/groups/workers/holds/${name}${query}`, { body: JSON.stringify(body) });

/** A parameter in the place of a hold that says something else. */
const putOdd = (): void => {
  world.ssm.operations.PutParameter(
    { Name: '/drover/drover/holds/workers/odd', Value: 'six', Type: 'String' },
    {
      principal: { accountId: '123456789012', arn: 'arn:aws:iam::123456789012:user/me' },
      requestId: 'x',
    } as never,
  );
};

describe('GET of holds', () => {
  it.each(['/holds', '/groups/workers/holds'])('%s shows each once over all pages, by name', async (path) => {
    for (const name of ['b', 'a', 'c']) await put({ nodes: 3, until: inHours(2) }, name);
    putOdd();
    const list = async (query: string) => holdList.parse((await world.send('GET', `${path}${query}`)).body);
    const first = await list('?limit=2');
    expect(first.holds.map(({ name }) => name)).toEqual(['a', 'b']);
    await world.send('DELETE', '/groups/workers/holds/b');
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect(second.holds.map(({ name }) => name)).toEqual(['c', 'odd']);
    expect(second.nextCursor).toBeUndefined();
    expect(await world.send('GET', `${path}?cursor=a`)).toMatchObject({ status: 400 });
  });
});

describe('GET of a hold', () => {
  it('shows its state, and why the last launch failed', async () => {
    await put({ nodes: 3, until: inHours(2) });
    const EndTime = new Date(world.cloud.clock.now());
    Object.assign(world.cloud.autoScaling.operations, {
      DescribeScalingActivities: () => ({
        Activities: [
          {
            Description: 'Launching a new EC2 instance.  Status Reason: no capacity',
            StatusCode: 'Failed',
            StatusMessage: 'We do not have sufficient m5.large capacity in eu-west-1a',
            EndTime,
          },
        ],
      }),
    });
    expect(await world.send('GET', '/groups/workers/holds/sale')).toMatchObject({
      status: 200,
      headers: { 'retry-after': '10' },
      body: {
        name: 'sale',
        nodes: 3,
        state: 'waiting',
        reason: expect.stringContaining('sufficient m5.large'),
      },
    });
  });

  it('of another name is 404', async () => {
    await put({ nodes: 3, until: inHours(2) });
    expect(await world.send('GET', '/groups/workers/holds/sal')).toMatchObject({ status: 404 });
  });

  it('that cannot be read says so', async () => {
    putOdd();
    expect((await world.send('GET', '/groups/workers/holds/odd')).body).toMatchObject({
      state: 'unreadable',
    });
  });

  it.each(['21', '-1', '1.5', ''])('with wait=%s is refused', async (wait) => {
    expect(await world.send('GET', `/groups/workers/holds/sale?wait=${wait}`)).toMatchObject({ status: 400 });
  });
});

describe('PUT of a hold', () => {
  it('makes it, with the caller; the same again changes nothing', async () => {
    const request = { nodes: 3, until: inHours(2) };
    const made = await put(request);
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...request,
        autoScalingGroupName: 'workers',
        name: 'sale',
        raiseMaxSize: false,
        by: 'arn:aws:iam::123456789012:user/operator',
      },
    });
    expect(await put(request)).toEqual({
      ...made,
      status: 200,
      body: { ...made.body, change: 'unchanged' },
    });
  });

  it('in parallel is one change', async () => {
    const request = { nodes: 3, until: inHours(2) };
    const statuses = (await Promise.all([put(request), put(request), put(request)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 200, 201]);
  });

  it('with a duration is one hold if it is repeated, and ends when the first request asked for', async () => {
    const request = { nodes: 3, durationSeconds: 7200 };
    const made = await put(request);
    expect(made).toMatchObject({ status: 201, body: { until: inHours(2), change: 'created' } });
    world.cloud.advance(600);
    for (const query of ['?dryRun=true', ''])
      expect(await put(request, 'sale', query)).toMatchObject({
        status: 200,
        body: { until: made.body.until, change: 'unchanged' },
      });
    expect(await put({ ...request, durationSeconds: 3600 })).toMatchObject({ status: 200 });
    for (const other of [{ durationSeconds: 7201 }, { nodes: 4 }, { raiseMaxSize: true }])
      expect(await put({ ...request, ...other })).toMatchObject({ status: 409 });
  });

  it('with a duration is another one for another caller', async () => {
    world = createScaleApiWorld({
      principals: 'admin=arn:aws:iam::123456789012:user/operator admin=arn:aws:iam::123456789012:user/ana',
    });
    const request = { nodes: 3, durationSeconds: 7200 };
    expect(await put(request)).toMatchObject({ status: 201 });
    const asAna = { body: JSON.stringify(request), callerArn: 'arn:aws:iam::123456789012:user/ana' };
    world.cloud.advance(1);
    expect(await world.send('PUT', '/groups/workers/holds/sale', asAna)).toMatchObject({ status: 409 });
  });

  it('may last for a year, and no second longer', async () => {
    expect((await put({ nodes: 3, durationSeconds: 31_622_400 }, 'sale', '?dryRun=true')).status).toBe(200);
    expect((await put({ nodes: 3, durationSeconds: 31_622_401 })).status).toBe(422);
  });

  it.each([
    ['both ends', { until: '2026-01-06T00:00:00Z', durationSeconds: 60 }],
    ['no end', {}],
  ])('with %s is refused, and the reason says so', async (_, end) => {
    expect(await put({ nodes: 3, ...end })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#', detail: 'give either until or durationSeconds' }] },
    });
  });

  it('with other values under the same name is a conflict', async () => {
    await put({ nodes: 3, until: inHours(2) });
    expect(await put({ nodes: 4, until: inHours(2) })).toMatchObject({
      status: 409,
      body: {
        type: 'https://drover.dev/problems/hold-taken',
        detail: expect.stringContaining('keeps 3 nodes until'),
      },
    });
  });

  it('changes nothing in a dry run', async () => {
    expect(await put({ nodes: 3, until: inHours(2) }, 'sale', '?dryRun=true')).toMatchObject({
      status: 200,
      body: { change: 'created' },
    });
    expect((await world.send('GET', '/holds')).body).toEqual({ holds: [] });
    await put({ nodes: 3, until: inHours(2) });
    const before = (await world.send('GET', '/holds')).body;
    expect((await put({ nodes: 4, until: inHours(2) }, 'sale', '?dryRun=true')).status).toBe(409);
    const extension = { body: JSON.stringify({ durationSeconds: 14_400 }) };
    expect(await world.send('PATCH', '/groups/workers/holds/sale?dryRun=true', extension)).toMatchObject({
      status: 200,
      body: { until: inHours(4), change: 'extended' },
    });
    expect(await world.send('DELETE', '/groups/workers/holds/sale?dryRun=true')).toMatchObject({
      status: 204,
    });
    expect(await world.send('DELETE', '/groups/workers/holds/other?dryRun=true')).toMatchObject({
      status: 404,
    });
    expect((await world.send('GET', '/holds')).body).toEqual(before);
    expect(world.lines.filter((line) => line.includes('change made'))).toHaveLength(1);
  });

  it.each([
    ['more than MaxSize', { nodes: 6 }, 422, 'capacity-out-of-bounds'],
    ['no node', { nodes: 0 }, 422, 'invalid-body'],
    ['an unknown field', { nodes: 3, node: 1 }, 422, 'invalid-body'],
    ['a past end', { nodes: 3, until: '2020-01-01T00:00:00Z' }, 422, 'invalid-hold'],
    ['an end without an offset', { nodes: 3, until: '2030-01-01T00:00:00' }, 422, 'invalid-body'],
    ['an end in two years', { nodes: 3, until: '2090-01-01T00:00:00Z' }, 422, 'invalid-hold'],
  ])('with %s is refused', async (_, request, status, problem) => {
    expect(await put({ until: inHours(2), ...request })).toMatchObject({
      status,
      body: { type: `https://drover.dev/problems/${problem}` },
    });
  });

  it('beyond the limit of the deployment is refused', async () => {
    expect(await put({ nodes: 101, until: inHours(2), raiseMaxSize: true })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('maxSizeLimit') },
    });
  });

  it('beyond MaxSize is made if it raises that', async () => {
    expect((await put({ nodes: 6, until: inHours(2), raiseMaxSize: true })).status).toBe(201);
  });

  it.each([['etcd', [...workerTags('etcd')], 'etcd-group']])(
    'for a group of %s is refused',
    async (name, Tags, problem) => {
      createGroup(world.cloud, { AutoScalingGroupName: name, MaxSize: 5, Tags });
      const body = JSON.stringify({ nodes: 3, until: inHours(2) });
      expect(await world.send('PUT', `/groups/${name}/holds/sale`, { body })).toMatchObject({
        status: 409,
        body: { type: `https://drover.dev/problems/${problem}` },
      });
    },
  );

  it('of a name that Parameter Store does not take is refused', async () => {
    expect(await put({ nodes: 3, until: inHours(2) }, 'a b')).toMatchObject({ status: 422 });
  });

  it('for a group whose name is too long in the name of a parameter is refused with the reason', async () => {
    const AutoScalingGroupName = '\u6728'.repeat(120);
    createGroup(world.cloud, { AutoScalingGroupName, MinSize: 1, MaxSize: 5, Tags: workerTags() });
    const body = JSON.stringify({ nodes: 2, until: inHours(1) });
    expect(await world.send('PUT', `/groups/${AutoScalingGroupName}/holds/sale`, { body })).toMatchObject({
      status: 422,
      body: { type: 'https://drover.dev/problems/invalid-hold', detail: expect.stringContaining('1,011') },
    });
  });

  it('for a group whose name has slashes works end to end', async () => {
    createGroup(world.cloud, { AutoScalingGroupName: 'team/blue', MaxSize: 5, Tags: workerTags() });
    const body = JSON.stringify({ nodes: 3, until: inHours(2) });
    expect((await world.send('PUT', '/groups/team/blue/holds/sale', { body })).status).toBe(201);
    expect((await world.send('GET', '/groups/team/blue/holds')).body).toMatchObject({
      holds: [{ autoScalingGroupName: 'team/blue', name: 'sale' }],
    });
  });
});

describe('GET of holds', () => {
  it('shows the state of each', async () => {
    await put({ nodes: 2, until: inHours(2) }, 'small');
    await put({ nodes: 4, until: inHours(2) }, 'large');
    world.cloud.advance(120);
    for (const { InstanceId = '' } of world.group().Instances ?? [])
      world.cluster.nodes.set(InstanceId, readyNode(InstanceId));
    const { body } = await world.send('GET', '/holds');
    expect(body).toMatchObject({
      holds: [
        { name: 'large', state: 'waiting', reason: '2 of 4 nodes are Ready' },
        { name: 'small', state: 'met' },
      ],
    });
    expect((await world.send('GET', '/groups/workers/holds')).body).toEqual(body);
  });

  it('knows only instances while the cluster does not answer', async () => {
    await put({ nodes: 2, until: inHours(2) });
    world.cloud.advance(120);
    world.cluster.failure = new Error('away');
    expect((await world.send('GET', '/holds')).body).toMatchObject({ holds: [{ state: 'unknown' }] });
  });

  it('that waits goes on while the cluster does not answer, because the nodes may not be Ready yet', async () => {
    await put({ nodes: 2, until: inHours(2) });
    world.cloud.advance(120);
    for (const { InstanceId = '' } of world.group().Instances ?? [])
      world.cluster.nodes.set(InstanceId, readyNode(InstanceId));
    world.cluster.failure = new Error('away');
    world.cloud.clock.after(1000, () => {
      world.cluster.failure = undefined;
    });
    const waiting = world.send('GET', '/groups/workers/holds/sale?wait=20');
    expect((await finished(world.cloud.clock, waiting)).body).toMatchObject({ state: 'met' });
  });

  it('shows what cannot be read, which DELETE removes', async () => {
    putOdd();
    expect((await world.send('GET', '/holds')).body).toMatchObject({
      holds: [{ name: 'odd', state: 'unreadable' }],
    });
    expect((await world.send('DELETE', '/groups/workers/holds/odd')).status).toBe(204);
    expect((await world.send('GET', '/holds')).body).toEqual({ holds: [] });
  });
});

describe('PATCH and DELETE of a hold', () => {
  const patch = (hours: number, name = 'sale') =>
    world.send('PATCH', `/groups/workers/holds/${name}`, { body: JSON.stringify({ until: inHours(hours) }) });

  it('move its end to a later time, and end it', async () => {
    await put({ nodes: 3, until: inHours(2) });
    expect(await patch(4)).toMatchObject({ status: 200, body: { until: inHours(4) } });
    expect(await patch(1)).toMatchObject({ status: 200, body: { until: inHours(4) } });
    expect((await world.send('DELETE', '/groups/workers/holds/sale')).status).toBe(204);
    expect((await world.send('DELETE', '/groups/workers/holds/sale')).status).toBe(404);
  });

  it('of a hold that has ended, is not there, or cannot be there', async () => {
    await put({ nodes: 3, until: inHours(1) });
    world.cloud.advance(3601);
    expect((await patch(4)).status).toBe(409);
    expect((await patch(4, 'other')).status).toBe(404);
    expect((await patch(4, 'a b')).status).toBe(404);
    expect((await patch(9000)).status).toBe(422);
  });

  it('need a group to extend it, and none to show and to end it', async () => {
    await put({ nodes: 3, until: inHours(2) });
    world.cloud.autoScaling.operations.DeleteAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      ForceDelete: true,
    });
    world.cloud.advance(900);
    const missing = { status: 404, body: { type: 'https://drover.dev/problems/group-not-found' } };
    expect(await patch(4)).toMatchObject(missing);
    expect(await world.send('GET', '/groups/workers/holds/sale')).toMatchObject({
      status: 200,
      body: { name: 'sale', nodes: 3 },
    });
    expect(await world.send('DELETE', '/groups/workers/holds/sale?dryRun=true')).toMatchObject({
      status: 204,
    });
    expect(await world.send('DELETE', '/groups/workers/holds/sale')).toMatchObject({ status: 204 });
    for (const method of ['GET', 'DELETE'] as const)
      expect(await world.send(method, '/groups/workers/holds/sale')).toMatchObject(missing);
    expect((await world.send('GET', '/holds')).body).toEqual({ holds: [] });
  });

  it('are logged with the caller', async () => {
    await put({ nodes: 3, until: inHours(1) });
    expect(world.lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        message: 'change made',
        action: 'create hold',
        caller: 'arn:aws:iam::123456789012:user/operator',
        subject: 'workers sale',
      }),
    );
  });
});

it('the capacity of a group is not lowered below an active hold, and the answer names the hold', async () => {
  const capacity = (desiredCapacity: number) =>
    world.send('PUT', '/groups/workers/capacity', { body: JSON.stringify({ desiredCapacity }) });
  const until = inHours(2);
  await put({ nodes: 2, until });
  expect(await capacity(1)).toMatchObject({
    status: 409,
    body: {
      type: 'https://drover.dev/problems/held',
      detail: expect.stringContaining('the hold sale keeps 2 nodes until'),
    },
  });
  expect((await capacity(3)).status).toBe(202);
  await world.send('DELETE', '/groups/workers/holds/sale');
  expect((await capacity(1)).status).toBe(202);
});

it('the capacity of a group is lowered, whatever the holds of another group ask for', async () => {
  createGroup(world.cloud, { AutoScalingGroupName: 'workers-2', MaxSize: 9, Tags: workerTags() });
  const body = JSON.stringify({ nodes: 6, until: inHours(2) });
  expect((await world.send('PUT', '/groups/workers-2/holds/sale', { body })).status).toBe(201);
  const lower = { body: JSON.stringify({ desiredCapacity: 1 }) };
  expect((await world.send('PUT', '/groups/workers/capacity', lower)).status).toBe(202);
});

it.each([
  [new AwsError({ code: 'ThrottlingException', message: 'Rate exceeded' }), 503, 'throttled'],
  [
    new AwsError({ code: 'AccessDeniedException', message: 'arn:secret', statusCode: 400 }),
    500,
    'not-permitted',
  ],
] as const)(
  'a refusal of Parameter Store is reported without the message of AWS (%#)',
  async (error, status, problem) => {
    world.faults.push(({ operation }) => (operation === 'GetParametersByPath' ? error : undefined));
    const answer = await world.send('GET', '/holds');
    expect(answer).toMatchObject({ status, body: { type: `https://drover.dev/problems/${problem}` } });
    expect(JSON.stringify(answer)).not.toContain('arn:secret');
  },
);
