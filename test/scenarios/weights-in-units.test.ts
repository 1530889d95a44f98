import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { boundsOf, putHold } from '../../local/world/holds.ts';
import { budget, deployment, podsNamed, run } from '../../local/world/workloads.ts';
import { operatorOf } from '../cli/operator.ts';
import { passesOf, untilGone } from '../support/observed-instance.ts';

/** A group of so many units: instances of two units while EC2 has them, of one unit otherwise. */
async function openWeighted(
  units: number,
  { role = 'worker', tags = {} }: { role?: 'worker' | 'control-plane'; tags?: Record<string, string> } = {},
) {
  const world = createDroverWorld();
  await withWorkers(world, { size: 0, role, tags, settings: { MinSize: 0, MaxSize: 20 } });
  const { operations } = world.account.autoScaling;
  operations.UpdateAutoScalingGroup({
    AutoScalingGroupName: 'workers',
    DesiredCapacity: units,
    MixedInstancesPolicy: {
      LaunchTemplate: {
        LaunchTemplateSpecification: { LaunchTemplateName: 'workers', Version: '$Latest' },
        Overrides: [
          { InstanceType: 'm5.xlarge', WeightedCapacity: '2' },
          { InstanceType: 'm5.large', WeightedCapacity: '1' },
        ],
      },
    },
  });
  await world.timeline.until(() => unitsIn(world) >= units, { withinSeconds: 600, what: 'the units' });
  await world.timeline.pass(60);
  return world;
}

const serving = (world: DroverWorld) =>
  membersOf(world).filter(({ LifecycleState }) => LifecycleState === 'InService');
const unitsIn = (world: DroverWorld): number =>
  serving(world).reduce((sum, { WeightedCapacity }) => sum + Number(WeightedCapacity ?? 1), 0);
const idsOf = (world: DroverWorld) => serving(world).map(({ InstanceId = '' }) => InstanceId);

const withdraw = (world: DroverWorld, instanceType: string): void => {
  for (const { availabilityZone } of world.account.ec2.instances.subnets())
    world.account.ec2.accidents.setCapacity({ instanceType, availabilityZone, available: false });
};

// autoscaler#4851 and spinnaker#7070: the desired capacity was compared with a number of instances.
describe('a group whose types have weights', () => {
  it('replaces a dead node by smaller ones, and repairs no node for the lower number before', async () => {
    const world = await openWeighted(12, { tags: { 'drover.dev/repair': 'NotReady=10m' } });
    expect(serving(world)).toHaveLength(6);
    withdraw(world, 'm5.xlarge');
    const [dead = ''] = idsOf(world);
    world.kubelets.get(dead)?.stop();
    await untilGone(world, dead, 3600);
    await world.timeline.pass(900);
    expect(unitsIn(world)).toBe(12);
    expect(serving(world)).toHaveLength(7);
    expect(world.problems).toEqual([]);
  });

  it('has no hold of nodes, and its sizes stay, before and after its instances get smaller', async () => {
    const world = await openWeighted(6);
    putHold(world, { nodes: 5, minutes: 60 });
    await world.timeline.pass(300);
    expect(boundsOf(world)).toEqual({ minSize: 0, maxSize: 20, desiredCapacity: 6 });
    withdraw(world, 'm5.xlarge');
    terminate(world, idsOf(world)[0] ?? '');
    await world.timeline.pass(600);
    expect(serving(world)).toHaveLength(4);
    expect(boundsOf(world)).toEqual({ minSize: 0, maxSize: 20, desiredCapacity: 6 });
    const drover = operatorOf(world);
    expect(await drover(['hold', 'create', 'workers', '5', '--name', 'sale', '--for', '1h'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no size in nodes'),
    });
  });

  it('gives up two units with an instance of two, whose pods find room on the smaller ones', async () => {
    const world = await openWeighted(8);
    await run(world, deployment({ name: 'web', replicas: 12 }), budget('web', { maxUnavailable: 1 }));
    const [leaving = ''] = idsOf(world);
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving, 900);
    await world.timeline.pass(120);
    expect(boundsOf(world)).toMatchObject({ desiredCapacity: 6 });
    expect(unitsIn(world)).toBe(6);
    expect(podsNamed(world, 'web').filter(({ status }) => status?.phase === 'Running')).toHaveLength(12);
  });
});

it('a control plane of three instances of two units loses one at a time', async () => {
  const world = await openWeighted(6, { role: 'control-plane' });
  const ids = idsOf(world);
  expect(ids).toHaveLength(3);
  world.account.ec2.accidents.healthEvent({ entities: ids });
  let fewest = 6;
  await world.timeline.until(
    () => {
      fewest = Math.min(fewest, unitsIn(world));
      return ids.every((id) => stateOf(world, id) === undefined);
    },
    { withinSeconds: 3600, what: 'all of them replaced' },
  );
  expect(fewest).toBe(4);
  expect(ids.flatMap((id) => passesOf(world, id)).map(({ reason }) => String(reason))).toContainEqual(
    // Which of the two reasons is given depends on whose pass comes first.
    expect.stringMatching(/waits for replacements: 2 more of its 6|its own turn comes later/),
  );
});
