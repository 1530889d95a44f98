import { beforeEach, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { newVersion, rollNodes, seenOf, versionsOf } from '../../local/world/rolls.ts';
import { callScaleApi } from '../../local/world/scale-api-call.ts';
import { budget, create, deployment, request } from '../../local/world/workloads.ts';

let world: DroverWorld;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 2, settings: { MaxSize: 2 } });
  await create(world, deployment({ name: 'web', replicas: 2 }), budget('web', { maxUnavailable: 0 }));
  await world.timeline.pass(60);
  newVersion(world, 'ami-0000000000000new0');
});

const send = (method: string, body?: object) => callScaleApi(world, method, '/rolls/june', body);

const until = (state: string) =>
  world.timeline.until(() => seenOf(world)?.state === state, { withinSeconds: 3600, what: `state ${state}` });

describe('a roll that is begun over the scale API', () => {
  it('stops in its first pass if pods cannot move, and goes on once they can and people resume it', async () => {
    expect((await send('PUT', { groups: ['workers'], bakeSeconds: 60 })).statusCode).toBe(201);
    await world.timeline.pass(10);
    expect(seenOf(world)).toMatchObject({
      state: 'stopped',
      reason: expect.stringMatching(
        /^2 old nodes have pods that cannot move: .* \(budget default\/web allows no eviction even/,
      ),
    });
    expect([rollNodes(world), versionsOf(world)]).toEqual([[], [1, 1]]);
    // The same request again does not begin what has stopped.
    expect((await send('PUT', { groups: ['workers'], bakeSeconds: 60 })).statusCode).toBe(200);
    expect(JSON.parse((await send('GET')).body)).toMatchObject({
      state: 'stopped',
      reason: expect.stringContaining('default/web-'),
      asked: { wanted: 'run' },
    });
    await request(world, 'PATCH', '/apis/policy/v1/namespaces/default/poddisruptionbudgets/web', {
      spec: { maxUnavailable: 1 },
    });
    await world.timeline.pass(30);
    expect((await send('PATCH', { wanted: 'run' })).statusCode).toBe(200);
    await until('done');
    expect(versionsOf(world)).toEqual([2, 2]);
    expect(rollNodes(world)).toEqual([]);
  });

  it('stops in its first pass if a pod has no room on the instance type that its group launches now', async () => {
    const requests = { cpu: '100m', memory: '2Gi' };
    const containers = [{ name: 'main', image: 'registry.example/app:1', resources: { requests } }];
    await create(world, deployment({ name: 'large', replicas: 1, pod: { containers } }));
    await request(world, 'DELETE', '/apis/policy/v1/namespaces/default/poddisruptionbudgets/web');
    world.account.ec2.operations.CreateLaunchTemplateVersion({
      LaunchTemplateName: 'workers',
      SourceVersion: '$Latest',
      LaunchTemplateData: { InstanceType: 't3.micro' },
    });
    await world.timeline.pass(60);
    expect((await send('PUT', { groups: ['workers'] })).statusCode).toBe(201);
    await world.timeline.pass(10);
    expect(seenOf(world)).toMatchObject({
      state: 'stopped',
      reason: expect.stringMatching(
        /default\/large-\S+ on \S+ \(it would stay Pending: .*Insufficient memory/,
      ),
    });
    expect(rollNodes(world)).toEqual([]);
  });

  it('begins with skipBlocked, and replaces nothing that is held', async () => {
    await send('PUT', { groups: ['workers'], skipBlocked: true });
    await world.timeline.pass(300);
    expect(seenOf(world)).toMatchObject({ state: 'running' });
    expect(versionsOf(world)).toEqual([1, 1]);
  });
});
