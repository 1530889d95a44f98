import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  nodesOf,
  stateOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { callScaleApi as call } from '../../local/world/scale-api-call.ts';
import { droverFor } from '../support/drover-cli.ts';

/** The answer of a request that waits while time passes. */
async function patiently(world: DroverWorld, target: string): Promise<{ readonly state: string }> {
  const answer = call(world, 'GET', target);
  let isOver = false;
  const ended = answer.finally(() => {
    isOver = true;
  });
  await world.timeline.until(() => isOver, { withinSeconds: 29, what: 'the answer' });
  return JSON.parse((await ended).body);
}

describe('a group that is scaled through the API, as deployed', () => {
  let world: DroverWorld;

  beforeEach(async () => {
    world = createDroverWorld();
    await withWorkers(world, { size: 3 });
  });

  it('is listed with its nodes by a function with exactly the rights for it', async () => {
    const { exitCode, stdout, stderr } = await droverFor(world)('groups');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/workers +worker +0 +3 +10 +3 +3 +0/);
    expect(exitCode).toBe(0);
  });

  it('grows, and the wait ends when its nodes are Ready', async () => {
    const { exitCode, stdout } = await droverFor(world)('scale workers 5 --wait');
    expect(stdout).toMatch(/workers: 5 of 5 nodes are Ready\n$/);
    expect(exitCode).toBe(0);
    expect(nodesOf(world)).toHaveLength(5);
  });

  it('grows beyond MaxSize only on request, up to the limit of the deployment', async () => {
    const drover = droverFor(world);
    expect(await drover('scale workers 12')).toMatchObject({ exitCode: 1 });
    expect(await drover('scale workers 101 --raise-max-size')).toMatchObject({ exitCode: 1 });
    expect(await drover('scale workers 12 --raise-max-size --dry-run')).toMatchObject({
      exitCode: 0,
      stdout: 'workers: 3 -> 12; MaxSize becomes 12; Auto Scaling launches 9 instances (dry run)\n',
    });
    expect(membersOf(world)).toHaveLength(3);
    expect(await drover('scale workers 12 --raise-max-size --wait')).toMatchObject({ exitCode: 0 });
    expect(nodesOf(world)).toHaveLength(12);
    expect(world.problems).toEqual([]);
  });

  it('shrinks, and the wait ends when the nodes are drained and gone', async () => {
    const { exitCode, stdout } = await droverFor(world)('scale workers 1 --wait');
    expect(stdout).toContain('2 of the instances are not drained and terminated yet');
    expect(exitCode).toBe(0);
    expect(membersOf(world)).toHaveLength(1);
    expect(nodesOf(world)).toHaveLength(1);
    expect(world.problems).toEqual([]);
  });

  it('answers a waiting caller when its nodes are Ready, or with the progress after the given seconds', async () => {
    await call(world, 'PUT', '/groups/workers/capacity', { desiredCapacity: 4 });
    const began = world.clock.now();
    const link = '/groups/workers/capacity?from=3&desired=4';
    expect(await patiently(world, `${link}&wait=4`)).toMatchObject({ state: 'scaling-out' });
    expect(world.clock.now() - began).toBeLessThan(10_000);
    const answers = [];
    while (answers.at(-1)?.state !== 'settled' && answers.length < 10)
      answers.push(await patiently(world, `${link}&wait=20`));
    expect(answers.at(-1)).toMatchObject({ state: 'settled' });
  });

  it('drains and terminates the given instance, and launches another', async () => {
    const [{ InstanceId: instanceId = '' } = {}] = membersOf(world);
    expect(await call(world, 'DELETE', `/instances/${instanceId}`)).toMatchObject({ statusCode: 202 });
    await world.timeline.until(() => stateOf(world, instanceId) === undefined, {
      withinSeconds: 300,
      what: 'the end of the instance',
    });
    await world.timeline.pass(120);
    expect(nodesOf(world)).toHaveLength(3);
    expect(world.problems).toEqual([]);
  });

  it('cannot be scaled by a caller with read access', async () => {
    const drover = droverFor(world, '*/$default/GET/*');
    expect(await drover('groups workers')).toMatchObject({ exitCode: 0 });
    expect(await drover('scale workers 5')).toMatchObject({ exitCode: 1 });
    expect(membersOf(world)).toHaveLength(3);
  });
});

it('a wait for a hold does not end while it is unknown whether its nodes are Ready', async () => {
  let isAway = false;
  const world = createDroverWorld({
    weather: {
      strike: ({ caller, to }) =>
        isAway && caller === 'scale-api' && to === 'kubernetes' ? { kind: 'fail-before' } : undefined,
    },
  });
  await withWorkers(world, { size: 2 });
  const until = new Date(world.clock.now() + 3_600_000).toISOString();
  await call(world, 'PUT', '/groups/workers/holds/sale', { nodes: 2, until });
  isAway = true;
  const began = world.clock.now();
  expect(await patiently(world, '/groups/workers/holds/sale?wait=6')).toMatchObject({ state: 'unknown' });
  expect(world.clock.now() - began).toBeGreaterThanOrEqual(4000);
  isAway = false;
  expect(await patiently(world, '/groups/workers/holds/sale?wait=6')).toMatchObject({ state: 'met' });
});
