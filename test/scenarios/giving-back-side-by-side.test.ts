import type { CallInFlight } from '@drover/cloud-sandbox';
import { expect, it } from 'vitest';
import type { DroverWorld } from '../../local/world/drover-world.ts';
import { boundsOf, serving } from '../../local/world/holds.ts';
import { emptyNodes, giveBack, isKept, nodesOf as nodes, openWhileLeaving } from '../support/giving-back.ts';

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'two passes side by side give back one node, which stays cordoned (the second begins at call %i of the first)',
  async (nth) => {
    let calls: number | undefined;
    let second: Promise<void> | undefined;
    const strike = ({ caller }: CallInFlight) => {
      if (calls !== undefined && caller === 'node-leaving') calls += 1;
      if (calls === nth) second ??= giveBack(world);
      return undefined;
    };
    const world: DroverWorld = await emptyNodes({ weather: { strike } });
    calls = 0;
    await giveBack(world);
    expect(second).toBeDefined();
    await second;
    expect(openWhileLeaving(world)).toEqual([]);
    await world.timeline.pass(600);
    expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 2 });
    expect(serving(world)).toBe(2);
    expect(nodes(world).filter(isKept)).toEqual([]);
  },
);

/** By numbers of the reads of Auto Scaling in a pass: its group, its hooks, and its group again. */
it.each([[[1]], [[2]], [[3]], [[1, 2, 3]]])(
  'keeps its nodes where MinSize was raised and Auto Scaling answers with what was before, at reads %j',
  async (stale) => {
    let reads: number | undefined;
    const staleSeconds = ({ caller, what }: CallInFlight): number => {
      if (reads === undefined || caller !== 'node-leaving' || !/ Describe(Auto|Life)/.test(what)) return 0;
      reads += 1;
      return stale.includes(reads) ? 60 : 0;
    };
    const world = await emptyNodes({ weather: { staleSeconds } });
    world.account.autoScaling.operations.UpdateAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      MinSize: 3,
    });
    await world.timeline.pass(30);
    reads = 0;
    await giveBack(world);
    expect(reads).toBeGreaterThan(0);
    reads = undefined;
    expect(boundsOf(world)).toMatchObject({ minSize: 3, desiredCapacity: 3 });
    expect(serving(world)).toBe(3);
    expect(nodes(world).filter(isKept)).toEqual([]);
  },
);

it('gives back no more than MinSize allows if every response of Auto Scaling is older than the last pass', async () => {
  let seconds = 0;
  const world = await emptyNodes({
    weather: { staleSeconds: ({ to, what }) => (to === 'aws' && what.includes(' Describe') ? seconds : 0) },
  });
  seconds = 30;
  for (let pass = 0; pass < 4; pass += 1) {
    await giveBack(world);
    expect(openWhileLeaving(world)).toEqual([]);
    await world.timeline.pass(5);
  }
  seconds = 0;
  await world.timeline.pass(1200);
  expect(boundsOf(world).desiredCapacity).toBeGreaterThanOrEqual(1);
  expect(serving(world)).toBe(boundsOf(world).desiredCapacity);
  expect(nodes(world).filter(isKept)).toEqual([]);
});
