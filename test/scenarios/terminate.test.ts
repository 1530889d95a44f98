import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  membersOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, podsOn, run } from '../../local/world/workloads.ts';
import { untilSaid } from '../support/observed-instance.ts';

const nodeOf = (world: ReturnType<typeof createDroverWorld>, instanceId: string): string =>
  world.kubernetes.store
    .of('nodes')
    .list()
    .find(({ spec }) => spec?.providerID?.endsWith(instanceId))?.metadata?.name ?? '';

describe('an instance that is terminated', () => {
  it('costs N + 6 requests to the API server for N pods when nothing blocks, not counting Events', async () => {
    const world = createDroverWorld();
    const [only = ''] = await withWorkers(world, { size: 1 });
    await run(world, deployment({ name: 'web', replicas: 10 }));
    expect(podsOn(world, nodeOf(world, only))).toHaveLength(10);
    world.kubernetes.requests.reset();
    terminate(world, only, { replace: false });
    await world.timeline.until(() => stateOf(world, only) === undefined, {
      withinSeconds: 120,
      what: 'the end of the instance',
    });
    const counts = [...world.kubernetes.requests.counts()].filter(([subject]) => !subject.includes('events'));
    const requests = counts.reduce((sum, [, count]) => sum + count.requests, 0);
    expect(requests, JSON.stringify(counts)).toBeLessThanOrEqual(16);
    expect(world.problems).toEqual([]);
  });

  it('has a malformed tag of its group in the reason of each pass', async () => {
    const world = createDroverWorld();
    const tags = { 'drover.dev/max-leaving': 'some' };
    const [first = ''] = await withWorkers(world, { size: 2, tags });
    terminate(world, first, { replace: false });
    await untilSaid(world, first, /tag drover.dev\/max-leaving is not a whole number/);
  });

  it('costs no more requests when many leave at once, or when EC2 reports afterwards that they have terminated', async () => {
    const world = createDroverWorld();
    const instanceIds = await withWorkers(world, { size: 20 });
    await run(world, deployment({ name: 'web', replicas: 200, graceSeconds: 2 }));
    await withWorkers(world, { size: 20, autoScalingGroupName: 'others' });
    world.kubernetes.requests.reset();
    for (const instanceId of instanceIds) terminate(world, instanceId, { replace: false });
    await world.timeline.until(() => membersOf(world).length === 0, {
      withinSeconds: 120,
      what: 'the end of them all',
    });
    await world.timeline.pass(30);
    const counts = world.kubernetes.requests.counts();
    const count = (subject: string): number => (counts.get(subject)?.requests ?? 0) / instanceIds.length;
    expect(count('create pods/eviction')).toBe(10);
    expect(count('delete nodes')).toBe(1);
    expect(count('list pods')).toBe(2);
    expect(count('get nodes')).toBeLessThanOrEqual(2);
    expect(world.problems).toEqual([]);
  });
});
