import { AwsError } from '@drover/cloud-sandbox/aws';
import { createGroup, putHook } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import * as schemas from '../../shared/scale-api/schemas/answers/group.ts';
import { problem } from '../../shared/scale-api/schemas/answers/problem.ts';
import { context, createScaleApiWorld, readyNode, workerTags } from '../shared/scale-api/scale-api-world.ts';

let world: ReturnType<typeof createScaleApiWorld>;
const instanceIds = (): string[] => (world.group().Instances ?? []).map(({ InstanceId }) => InstanceId ?? '');
const joinAll = (): void => {
  for (const id of instanceIds()) world.cluster.nodes.set(id, readyNode(id));
};
const scaleTo = (desiredCapacity: unknown, query = '') =>
  world.send('PUT', `/groups/workers/capacity${query}`, { body: JSON.stringify({ desiredCapacity }) });

beforeEach(() => {
  world = createScaleApiWorld();
});

describe('reading groups', () => {
  it('lists the managed groups with their Nodes, and no others', async () => {
    createGroup(world.cloud, { AutoScalingGroupName: 'foreign', Tags: workerTags('worker', 'other') });
    createGroup(world.cloud, { AutoScalingGroupName: 'no-role', Tags: workerTags().slice(0, 1) });
    createGroup(world.cloud, { AutoScalingGroupName: 'a-masters', Tags: workerTags('control-plane') });
    joinAll();
    const { status, body } = await world.send('GET', '/groups');
    expect(status).toBe(200);
    const { groups } = schemas.groupList.parse(body);
    expect(groups.map((group) => group.autoScalingGroupName)).toEqual(['a-masters', 'workers']);
    expect(groups[1]).toEqual({
      autoScalingGroupName: 'workers',
      role: 'worker',
      minSize: 1,
      maxSize: 5,
      desiredCapacity: 2,
      instances: { pending: 0, inService: 2, terminating: 0, other: 0 },
      nodes: { status: 'seen', ready: 2, notReady: 0, leaving: 0, missing: 0 },
    });
  });

  it('shows one group with its instances and the Node of each', async () => {
    const [first = ''] = instanceIds();
    world.cluster.nodes.set(first, readyNode(first));
    const { status, body } = await world.send('GET', '/groups/workers');
    expect(status).toBe(200);
    const { members } = schemas.group.parse(body);
    expect(members.map(({ node }) => node)).toEqual([
      {
        status: 'found',
        name: `node-of-${first}`,
        providerID: `aws:///eu-west-1a/${first}`,
        ready: true,
        unschedulable: false,
      },
      { status: 'none' },
    ]);
  });

  it('shows groups with unknown Nodes if the cluster does not answer', async () => {
    world.cluster.failure = new Error('connection refused');
    const { status, body } = await world.send('GET', '/groups');
    expect(status).toBe(200);
    expect(schemas.groupList.parse(body).groups[0]?.nodes).toEqual({
      status: 'unknown',
      reason: 'the Nodes of the cluster could not be listed: the log of scale-api says why',
    });
    expect(world.lines.join()).toContain('connection refused');
  });

  it('answers for an unmanaged group as for a missing one', async () => {
    createGroup(world.cloud, { AutoScalingGroupName: 'foreign', Tags: workerTags('worker', 'other') });
    const foreign = await world.send('GET', '/groups/foreign');
    expect(foreign.status).toBe(404);
    expect(foreign).toEqual(await world.send('GET', '/groups/nowhere'));
  });
});

describe('setting the capacity', () => {
  it('scales out, and the status link shows when the Nodes are Ready', async () => {
    joinAll();
    const { status, headers, body } = await scaleTo(4);
    expect(status).toBe(202);
    expect(body).toMatchObject({ from: 2, desiredCapacity: 4, direction: 'out', status: headers.location });
    expect(headers['retry-after']).toBe('10');
    expect(world.group().DesiredCapacity).toBe(4);

    const follow = () => world.send('GET', String(headers.location));
    expect((await follow()).body).toMatchObject({ state: 'scaling-out' });
    world.cloud.advance(120);
    expect((await follow()).body).toMatchObject({
      state: 'scaling-out',
      reason: '2 of 4 nodes are Ready',
    });
    joinAll();
    const over = await follow();
    expect(over.body).toMatchObject({ state: 'settled', reason: '4 of 4 nodes are Ready' });
    expect(over.headers['retry-after']).toBeUndefined();
  });

  it('scales in, and the status link shows when the drained instances are gone', async () => {
    putHook(world.cloud, { HeartbeatTimeout: 3600 });
    joinAll();
    const { headers } = await scaleTo(1);
    world.cloud.advance(60);
    const waiting = await world.send('GET', String(headers.location));
    expect(waiting.body).toMatchObject({
      state: 'scaling-in',
      waitingFor: [{ reason: 'is Terminating:Wait' }],
    });
    world.cloud.advance(3600);
    world.cloud.advance(600);
    expect((await world.send('GET', String(headers.location))).body).toMatchObject({ state: 'settled' });
  });

  it('reports in a dry run what would happen, and changes nothing', async () => {
    const { status, body } = await scaleTo(1, '?dryRun=true');
    expect(status).toBe(200);
    expect(body).toMatchObject({ dryRun: true, from: 2, desiredCapacity: 1, direction: 'in' });
    expect(world.group().DesiredCapacity).toBe(2);
  });

  it('sets the capacity even if the group seems to have it, because the description may be stale', async () => {
    const calls: string[] = [];
    world.faults.push(({ operation }) => {
      calls.push(operation);
      return undefined;
    });
    expect(await scaleTo(2)).toMatchObject({ status: 202, body: { direction: 'none' } });
    expect(calls).toEqual(['DescribeAutoScalingGroups', 'SetDesiredCapacity']);
  });

  it.each([0, 6])('refuses %i, outside the bounds of the group, also in a dry run', async (number) => {
    const refusal = { status: 422, body: { errors: [{ pointer: '#/desiredCapacity' }] } };
    expect(await scaleTo(number)).toMatchObject(refusal);
    expect(await scaleTo(number, '?dryRun=true')).toMatchObject(refusal);
    expect(world.group().DesiredCapacity).toBe(2);
  });

  it('never touches a group that is not managed', async () => {
    createGroup(world.cloud, { AutoScalingGroupName: 'foreign', Tags: workerTags('worker', 'other') });
    const body = JSON.stringify({ desiredCapacity: 3 });
    expect(await world.send('PUT', '/groups/foreign/capacity', { body })).toMatchObject({ status: 404 });
  });

  it('requires both parameters of a change, or none', async () => {
    expect(await world.send('GET', '/groups/workers/capacity?desired=3')).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: 'from', detail: 'is missing' }] },
    });
    expect(await world.send('GET', '/groups/workers/capacity?from=2')).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: 'desired', detail: 'is missing' }] },
    });
    expect(await world.send('GET', '/groups/workers/capacity')).toMatchObject({ status: 200 });
  });

  it('reads activities for a scale-in only while an instance leaves', async () => {
    const asked: string[] = [];
    world.faults.push(({ operation }) => {
      asked.push(operation);
      return undefined;
    });
    await world.send('GET', '/groups/workers/capacity?from=4&desired=3');
    expect(asked).toContain('DescribeAutoScalingGroups');
    expect(asked).not.toContain('DescribeScalingActivities');
  });

  it('waits for all leaving instances if the activities cannot be read, and logs why', async () => {
    putHook(world.cloud, { HeartbeatTimeout: 300 });
    const [stranger = ''] = (world.group().Instances ?? []).map(({ InstanceId }) => InstanceId);
    world.cloud.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
      InstanceId: stranger,
      ShouldDecrementDesiredCapacity: false,
    });
    world.cloud.advance(5);
    const link = '/groups/workers/capacity?from=3&desired=2';
    const read = await world.send('GET', link);
    expect(read.body).toMatchObject({ state: 'settled', instances: { terminating: 1 } });
    world.faults.push(({ operation }) =>
      operation === 'DescribeScalingActivities'
        ? new AwsError({ code: 'AccessDenied', message: 'no' })
        : undefined,
    );
    const unread = await world.send('GET', link);
    expect(unread).toMatchObject({
      status: 200,
      body: { state: 'scaling-in', waitingFor: [{ instanceId: stranger }] },
    });
    expect(world.lines.join()).toContain('the activities of the group could not be read');
  });

  it('keeps the stage in its link', async () => {
    const { headers } = await world.send('PUT', '/prod/groups/workers/capacity', {
      body: '{"desiredCapacity":3}',
      stage: 'prod',
    });
    expect(headers.location).toBe('/prod/groups/workers/capacity?from=2&desired=3');
  });
});

describe('a refusal of Auto Scaling', () => {
  const refuse = (operation: string, code: string, message = 'no'): void => {
    world.faults.push((call) => (call.operation === operation ? new AwsError({ code, message }) : undefined));
  };

  it.each([
    { code: 'ScalingActivityInProgress', status: 409, retryAfter: '30' },
    { code: 'ResourceContention', status: 409, retryAfter: '30' },
    { code: 'Throttling', status: 503, retryAfter: '5' },
    { code: 'AccessDenied', status: 500, retryAfter: undefined },
  ])('$code is answered with $status', async ({ code, status, retryAfter }) => {
    refuse('SetDesiredCapacity', code);
    const answer = await scaleTo(3);
    expect(answer).toMatchObject({ status, headers: { 'content-type': 'application/problem+json' } });
    expect(answer.headers['retry-after']).toBe(retryAfter);
    expect(problem.parse(answer.body).status).toBe(status);
  });

  it.each([
    ['AutoScalingGroup name not found - null', 404],
    ['New SetDesiredCapacity value 5 is above max value 4 for the AutoScalingGroup.', 422],
    ['You cannot update an AutoScalingGroup that is pending delete', 409],
  ])('is classified by the message of a ValidationError: %s', async (message, status) => {
    refuse('SetDesiredCapacity', 'ValidationError', message);
    expect(await scaleTo(3)).toMatchObject({ status });
  });

  it('for throttling is reported for reads too', async () => {
    refuse('DescribeAutoScalingGroups', 'Throttling', 'Rate exceeded');
    expect(await world.send('GET', '/groups')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
    });
  });

  it('is reported without the message of AWS, which is logged', async () => {
    refuse('SetDesiredCapacity', 'AccessDenied', 'role/drover-secret-name is not authorized');
    expect(JSON.stringify(await scaleTo(3))).not.toContain('drover-secret-name');
    expect(world.lines.at(-1)).toContain('is not authorized');
  });

  it.each(['fail-before', 'fail-after'] as const)(
    'without an answer (%s) becomes 503 with Retry-After',
    async (fault) => {
      world.faults.push(({ operation }) => (operation === 'SetDesiredCapacity' ? fault : undefined));
      expect(await scaleTo(3)).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5' },
        body: { type: 'https://drover.dev/problems/unavailable' },
      });
      world.faults.length = 0;
      expect(await scaleTo(3)).toMatchObject({ status: 202, body: { desiredCapacity: 3 } });
    },
  );

  it('of any other kind becomes an internal problem, with the error only in the log', async () => {
    refuse('DescribeAutoScalingGroups', 'UnheardOf', 'the disk is full');
    const answer = await world.send('GET', '/groups');
    expect(answer).toMatchObject({ status: 500, body: { type: 'https://drover.dev/problems/internal' } });
    expect(JSON.stringify(answer)).not.toContain('disk');
    expect(world.lines.at(-1)).toContain('the disk is full');
  });
});

describe('the HTTP handler', () => {
  it.each([
    ['GET', '/nothing', 404],
    ['DELETE', '/groups/workers', 405],
    ['PUT', '/groups', 405],
    ['GET', '/groups?page=2', 400],
  ])('answers %s %s with a problem document of status %i', async (method, target, status) => {
    const answer = await world.send(method, target);
    expect(answer).toMatchObject({ status, headers: { 'content-type': 'application/problem+json' } });
    expect(problem.parse(answer.body).status).toBe(status);
  });

  it('answers an event of another kind with a problem document', async () => {
    const answer = await world.handler({ Records: [] }, context);
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ detail: expect.stringContaining('version') });
  });

  it('logs one line for each request, with caller, path and status', async () => {
    await scaleTo(9);
    await world.send('GET', '/groups');
    expect(world.lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'info',
        method: 'PUT',
        path: '/groups/workers/capacity',
        status: 422,
        caller: 'arn:aws:iam::123456789012:user/operator',
        requestId: 'invocation-1',
      },
      { level: 'info', method: 'GET', path: '/groups', status: 200 },
    ]);
  });
});
