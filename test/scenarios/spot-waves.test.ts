import { createRandom } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { budget, deployment, podsNamed, podsOn, run } from '../../local/world/workloads.ts';
import { nodeNameOf } from '../support/observed-instance.ts';

const types = ['m5.large', 'm5.xlarge', 'c5.large'] as const;
const size = 30;
const replicas = 60;

/** A Spot group of several types with capacity rebalancing, and pods under a budget. */
async function openSpot(seed: number) {
  const world = createDroverWorld({ seed });
  const random = createRandom(seed);
  await withWorkers(world, {
    size,
    spot: true,
    tags: { 'drover.dev/max-leaving': '5' },
    settings: { MaxSize: size, CapacityRebalance: true },
  });
  world.account.autoScaling.operations.UpdateAutoScalingGroup({
    AutoScalingGroupName: 'workers',
    MixedInstancesPolicy: {
      LaunchTemplate: {
        LaunchTemplateSpecification: { LaunchTemplateName: 'workers', Version: '$Latest' },
        Overrides: types.map((InstanceType) => ({ InstanceType })),
      },
      InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 0 },
    },
  });
  // Each zone has another type left.
  for (const [index, { availabilityZone }] of world.account.ec2.instances.subnets().entries())
    for (const instanceType of types.slice(0, index))
      world.account.ec2.accidents.setCapacity({ instanceType, availabilityZone, available: false });
  await run(
    world,
    deployment({ name: 'web', replicas, graceSeconds: 5 }),
    budget('web', { maxUnavailable: 6 }),
  );
  return { world, random };
}

const idsOf = (world: DroverWorld): readonly string[] =>
  membersOf(world)
    .filter(({ LifecycleState }) => LifecycleState === 'InService')
    .map(({ InstanceId = '' }) => InstanceId);

const readyPods = (world: DroverWorld): number =>
  podsNamed(world, 'web').filter(
    ({ metadata, status }) =>
      metadata?.deletionTimestamp === undefined &&
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  ).length;

const outages = (world: DroverWorld): number => world.lines.filter(({ level }) => level === 'error').length;

describe('a Spot group of several types', () => {
  // aws-node-termination-handler#95 and #141: half of a cluster was lost within minutes, with rebalance recommendations before.
  it.each([1, 2])('is drained within the notice when waves of interruptions come (seed %i)', async (seed) => {
    const { world, random } = await openSpot(seed);
    const taken: string[] = [];
    for (const wave of [10, 14]) {
      const ids = idsOf(world);
      const first = random.integer(0, ids.length - 1);
      const targets = [...ids.slice(first), ...ids.slice(0, first)].slice(0, wave);
      for (const id of targets) world.account.ec2.accidents.recommendRebalance(id);
      await world.timeline.pass(15);
      const nodes = targets.map((id) => nodeNameOf(world, id)).filter((name) => name !== '');
      for (const id of targets) if (idsOf(world).includes(id)) world.account.ec2.accidents.interruptSpot(id);
      const began = world.clock.now();
      await world.timeline.until(
        () => {
          if (world.clock.now() - began < 60_000)
            expect(readyPods(world)).toBeGreaterThanOrEqual(replicas - 6);
          return nodes.every((name) =>
            podsOn(world, name).every(({ metadata }) => metadata?.labels?.app !== 'web'),
          );
        },
        { withinSeconds: 119, what: 'all of the wave drained' },
      );
      taken.push(...targets);
      await world.timeline.pass(900);
    }
    expect(idsOf(world)).toHaveLength(size);
    expect(new Set(membersOf(world).map(({ InstanceType }) => InstanceType)).size).toBe(types.length);
    expect(idsOf(world).filter((id) => taken.includes(id))).toEqual([]);
    expect(readyPods(world)).toBe(replicas);
    expect(outages(world)).toBe(0);
    expect(world.problems).toEqual([]);
  });
});
