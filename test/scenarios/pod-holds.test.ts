import { describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { boundsOf, holdParameters, serving } from '../../local/world/holds.ts';
import { deploymentOf, podsOf, putPodHold, scale } from '../../local/world/pod-holds.ts';
import { podsNamed, run } from '../../local/world/workloads.ts';

const minute = 60;

const bound = (world: DroverWorld, app: string): number =>
  podsNamed(world, app).filter(({ spec }) => spec?.nodeName).length;

async function workersIn(size = 1): Promise<DroverWorld> {
  const world = createDroverWorld();
  await withWorkers(world, { size, settings: { MinSize: size, MaxSize: 20 } });
  return world;
}

describe('a hold for pods', () => {
  it('has its nodes Ready before a Deployment is scaled up, follows the pods, and restores the base', async () => {
    const world = await workersIn();
    await run(world, deploymentOf('web', 3));
    putPodHold(world, { pods: podsOf('web', 40), minutes: 120 });
    // Three fit on a node: 37 more need 13 nodes more.
    await world.timeline.until(() => serving(world) === 14, { withinSeconds: 600, what: 'the nodes' });
    await world.timeline.pass(10 * minute);
    expect(boundsOf(world)).toMatchObject({ minSize: 14, desiredCapacity: 14 });
    await scale(world, 'web', 40);
    await world.timeline.pass(minute);
    expect(bound(world, 'web')).toBe(40);
    await world.timeline.pass(10 * minute);
    expect(boundsOf(world)).toMatchObject({ minSize: 14, desiredCapacity: 14 });
    await world.timeline.pass(120 * minute);
    expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 14 });
    expect(holdParameters(world)).toEqual([]);
    expect(world.problems).toEqual([]);
  });

  it('reads nothing of the cluster without an active hold for pods', async () => {
    const called: string[] = [];
    const world = createDroverWorld({
      weather: {
        onCall: ({ caller, to }) => {
          if (caller === 'prewarm' && to === 'kubernetes') called.push(caller);
        },
      },
    });
    await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 20 } });
    await world.timeline.pass(10 * minute);
    expect(called).toEqual([]);
    putPodHold(world, { pods: podsOf('web', 3), minutes: 5 });
    await world.timeline.pass(3 * minute);
    expect(called).not.toEqual([]);
    await world.timeline.pass(10 * minute);
    called.length = 0;
    await world.timeline.pass(10 * minute);
    expect(called).toEqual([]);
  });
});
