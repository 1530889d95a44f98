import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  membersOf,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../support/drover-world.ts';
import { budget, deployment, podsNamed, podsOn, run } from '../support/workloads.ts';

const nodeOf = (world: ReturnType<typeof createDroverWorld>, instanceId: string): string =>
  world.kubernetes.store
    .of('nodes')
    .list()
    .find(({ spec }) => spec?.providerID?.endsWith(instanceId))?.metadata?.name ?? '';

describe('an instance that is terminated', () => {
  it('is drained, its Node deleted, its hook completed', async () => {
    const world = createDroverWorld();
    const [first = ''] = await withWorkers(world, { size: 3 });
    terminate(world, first, { replace: false });
    await world.timeline.until(() => stateOf(world, first) === undefined, {
      withinSeconds: 120,
      what: 'the end of the instance',
    });
    expect(world.problems).toEqual([]);
    expect(nodesOf(world)).toHaveLength(2);
  });

  it('costs N + 6 requests to the API server for N pods when nothing blocks, Events apart', async () => {
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

  it('is not asked for where the list of groups, which is read anyway, shows it waiting', async () => {
    const calls: string[] = [];
    const onCall = ({ caller, what }: { caller: string; what: string }) => calls.push(`${caller} ${what}`);
    const world = createDroverWorld({ weather: { onCall } });
    const [first = ''] = await withWorkers(world, { size: 2 });
    terminate(world, first, { replace: false });
    await world.timeline.until(() => stateOf(world, first) === undefined, {
      withinSeconds: 120,
      what: 'the end of the instance',
    });
    const count = (call: string): number => calls.filter((one) => one === call).length;
    expect(count('node-leaving autoscaling DescribeAutoScalingGroups')).toBe(1);
    expect(count('node-leaving autoscaling DescribeAutoScalingInstances')).toBe(0);
    expect(world.problems).toEqual([]);
  });

  it('costs no more where many leave at once, nor when EC2 says afterwards that they go', async () => {
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

  it('waits for a budget that allows one pod at a time, and for the pods to be Ready elsewhere', async () => {
    const world = createDroverWorld();
    const [first = ''] = await withWorkers(world, { size: 3 });
    await run(world, deployment({ name: 'web', replicas: 6 }), budget('web', { maxUnavailable: 1 }));
    terminate(world, first, { replace: false });
    let fewest = 6;
    await world.timeline.until(
      () => {
        const ready = podsNamed(world, 'web').filter(
          (pod) =>
            pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') &&
            !pod.metadata?.deletionTimestamp,
        ).length;
        fewest = Math.min(fewest, ready);
        return stateOf(world, first) === undefined;
      },
      { withinSeconds: 600, what: 'the end of the instance' },
    );
    expect(fewest).toBeGreaterThanOrEqual(5);
    expect(world.problems).toEqual([]);
  });
});
