import { AwsError } from '@drover/cloud-sandbox/aws';
import { groupOf, putHook } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { instance as instanceSchema } from '../../../shared/scale-api/schemas/answers/group.ts';
import { createScaleApiWorld, readyNode } from './scale-api-world.ts';

let world: ReturnType<typeof createScaleApiWorld>;
let target: string;
const members = () => groupOf(world.cloud).Instances ?? [];
const stateOf = (instanceId: string) =>
  members().find(({ InstanceId }) => InstanceId === instanceId)?.LifecycleState;
const remove = (query = '', instanceId = target) => world.send('DELETE', `/instances/${instanceId}${query}`);

beforeEach(() => {
  world = createScaleApiWorld();
  putHook(world.cloud, {
    LifecycleHookName: 'drover-node-leaving',
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
  });
  world.cloud.advance(60);
  target = members()[0]?.InstanceId ?? '';
});

describe('DELETE /instances/{instanceId}', () => {
  it('terminates it through the hook, and the link shows its state', async () => {
    const answer = await remove();
    expect(answer).toMatchObject({
      status: 202,
      headers: { location: `/instances/${target}`, 'retry-after': '10' },
      body: {
        instanceId: target,
        autoScalingGroupName: 'workers',
        lowersDesiredCapacity: false,
        reason: 'its node is drained before it goes, and Auto Scaling launches another',
        status: `/instances/${target}`,
      },
    });
    world.cloud.advance(1);
    const { body } = await world.send('GET', answer.headers['location'] ?? '');
    expect(instanceSchema.parse(body)).toMatchObject({
      instanceId: target,
      lifecycleState: 'Terminating:Wait',
    });
    expect(world.group().DesiredCapacity).toBe(2);
  });

  it('lowers the desired capacity on request', async () => {
    expect((await remove('?lowerDesiredCapacity=true')).status).toBe(202);
    expect(world.group().DesiredCapacity).toBe(1);
  });

  it('does not lower it below a hold that MinSize does not show yet', async () => {
    const until = new Date(world.cloud.clock.now() + 3_600_000).toISOString();
    const body = JSON.stringify({ nodes: 2, until });
    expect((await world.send('PUT', '/groups/workers/holds/sale', { body })).status).toBe(201);
    expect(await remove('?lowerDesiredCapacity=true')).toMatchObject({
      status: 409,
      body: { type: 'https://drover.dev/problems/held', detail: expect.stringContaining('the hold sale') },
    });
    expect((await remove()).status).toBe(202);
  });

  it('links to the instance under the stage', async () => {
    const { headers } = await world.send('DELETE', `/v1/instances/${target}`, { stage: 'v1' });
    expect(headers['location']).toBe(`/v1/instances/${target}`);
  });

  it('lowers it once for two requests', async () => {
    await remove('?lowerDesiredCapacity=true');
    world.cloud.advance(1);
    expect(await remove('?lowerDesiredCapacity=true')).toMatchObject({
      status: 202,
      body: { reason: 'it is Terminating:Wait already' },
    });
    expect(world.group().DesiredCapacity).toBe(1);
  });

  it('changes nothing in a dry run', async () => {
    expect(await remove('?dryRun=true')).toMatchObject({ status: 200, body: { dryRun: true } });
    world.cloud.advance(1);
    expect(stateOf(target)).toBe('InService');
  });

  it('logs who terminated what', async () => {
    await remove();
    const made = world.lines.map((line) => JSON.parse(line)).find(({ message }) => message === 'change made');
    expect(made).toMatchObject({
      action: 'terminate instance',
      subject: `workers ${target}`,
      caller: 'arn:aws:iam::123456789012:user/operator',
    });
  });

  it.each([
    ['a misspelt parameter', '?lower=true', 400, 'invalid-parameter'],
    ['a group that would be below MinSize', '?lowerDesiredCapacity=true', 422, 'capacity-out-of-bounds'],
  ])('refuses %s', async (_, query, status, problem) => {
    world.cloud.autoScaling.operations.UpdateAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      MinSize: 2,
    });
    expect(await remove(query)).toMatchObject({
      status,
      body: { type: `https://drover.dev/problems/${problem}` },
    });
  });

  it.each(['i-0fffffffffffffff0', 'nonsense', '%2e%2e'])('answers 404 for %s', async (instanceId) => {
    expect(await remove('', instanceId)).toMatchObject({ status: 404 });
  });

  it('answers 404 if it is gone since it was read', async () => {
    world.faults.push(({ operation }) =>
      operation === 'TerminateInstanceInAutoScalingGroup'
        ? new AwsError({
            code: 'ValidationError',
            message: `Instance Id not found - No managed instance found for instance ID: ${target}`,
          })
        : undefined,
    );
    expect(await remove()).toMatchObject({
      status: 404,
      body: { type: 'https://drover.dev/problems/instance-not-found' },
    });
  });
});

describe('DELETE /instances/{instanceId} while Auto Scaling has no time', () => {
  it('says so, and that the call can be retried', async () => {
    world.faults.push(({ operation }) =>
      operation === 'TerminateInstanceInAutoScalingGroup'
        ? new AwsError({ code: 'Throttling', message: 'Rate exceeded' })
        : undefined,
    );
    expect(await remove()).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.any(String) },
      body: { type: 'https://drover.dev/problems/throttled' },
    });
  });
});

describe('GET /instances/{instanceId}', () => {
  it('shows the Node', async () => {
    world.cluster.nodes.set('one', readyNode(target));
    expect(await world.send('GET', `/instances/${target}`)).toMatchObject({
      status: 200,
      body: { autoScalingGroupName: 'workers', serves: true, node: { name: `node-of-${target}` } },
    });
  });
});
