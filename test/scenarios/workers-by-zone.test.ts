import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { boundsOf, putHold, serving } from '../../local/world/holds.ts';
import { budget, deployment, podsNamed, run } from '../../local/world/workloads.ts';
import { markOf } from '../support/observed-instance.ts';
import { listenForPeople } from '../support/people.ts';

const groups = ['a', 'b', 'c'].map((zone) => `workers-${zone}`);
const [lacking = '', ...others] = groups;

/** Workers as cluster-autoscaler asks for them: a group for each zone. Only the first zone loses its capacity. */
async function openZones() {
  const world = createDroverWorld();
  const subnets = world.account.ec2.instances.subnets();
  for (const [index, { subnetId }] of subnets.entries())
    await withWorkers(world, {
      autoScalingGroupName: groups[index] ?? '',
      size: 2,
      settings: { VPCZoneIdentifier: subnetId, MinSize: 2, MaxSize: 6 },
    });
  const setCapacity = (available: boolean): void =>
    world.account.ec2.accidents.setCapacity({
      instanceType: 'm5.large',
      availabilityZone: subnets[0]?.availabilityZone ?? '',
      available,
    });
  const received = listenForPeople(world);
  const unmet = () =>
    received().flatMap(({ detail }) => (detail.kind === 'hold-unmet' ? [detail.autoScalingGroupName] : []));
  return { world, setCapacity, unmet };
}

const sizes = (world: DroverWorld): readonly number[] => groups.map((group) => serving(world, group));

describe('workers of three groups, each in its own zone, of which one has no capacity for an hour', () => {
  // kops#2683 and openshift/installer#7088: a zone without the type leaves its group short, and nothing says so.
  it('hold what the other zones have, and name the group that lacks nodes', async () => {
    const { world, setCapacity, unmet } = await openZones();
    setCapacity(false);
    for (const group of groups) putHold(world, { nodes: 4, minutes: 90, group });
    await world.timeline.pass(3600);
    expect(sizes(world)).toEqual([2, 4, 4]);
    expect(new Set(unmet())).toEqual(new Set([lacking]));
    expect(boundsOf(world, lacking)).toEqual({ minSize: 4, maxSize: 6, desiredCapacity: 4 });
    for (const group of others) expect(boundsOf(world, group)).toMatchObject({ minSize: 4, maxSize: 6 });
    setCapacity(true);
    await world.timeline.until(() => sizes(world).join() === '4,4,4', {
      withinSeconds: 1800,
      what: 'the nodes of the hold',
    });
    await world.timeline.pass(2400);
    expect(groups.map((group) => boundsOf(world, group).minSize)).toEqual([2, 2, 2]);
  });

  it('drain a node there although none replaces it, and keep the pods of a budget', async () => {
    const { world, setCapacity } = await openZones();
    await run(world, deployment({ name: 'web', replicas: 12 }), budget('web', { minAvailable: 11 }));
    setCapacity(false);
    const [{ InstanceId: leaving = '' } = {}] = membersOf(world, lacking);
    terminate(world, leaving);
    await world.timeline.until(
      () => {
        const ready = podsNamed(world, 'web').filter(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
        );
        expect(ready.length).toBeGreaterThanOrEqual(11);
        return stateOf(world, leaving) === undefined;
      },
      { withinSeconds: 1800, what: 'its end' },
    );
    await world.timeline.pass(3600);
    expect(sizes(world)).toEqual([1, 2, 2]);
    expect(podsNamed(world, 'web').filter(({ status }) => status?.phase === 'Running')).toHaveLength(12);
    setCapacity(true);
    await world.timeline.until(() => sizes(world).join() === '2,2,2', {
      withinSeconds: 1800,
      what: 'the replacement',
    });
    expect(world.problems).toEqual([]);
  });

  it('give the slots of a cluster to each zone, and a zone that lacks nodes holds no slot', async () => {
    const { world, setCapacity } = await openZones();
    setCapacity(false);
    const all = groups.flatMap((group) => membersOf(world, group).map(({ InstanceId = '' }) => InstanceId));
    await run(world, deployment({ name: 'web', replicas: 12 }), budget('web', { maxUnavailable: 2 }));
    for (const id of all) terminate(world, id);
    await world.timeline.until(() => all.every((id) => stateOf(world, id) === undefined), {
      withinSeconds: 3600,
      what: 'the end of all',
    });
    expect(all.map((id) => markOf(world, id))).toEqual(all.map(() => undefined));
    expect(sizes(world)).toEqual([0, 2, 2]);
  });
});
