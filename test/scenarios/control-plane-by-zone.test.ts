import { describe, expect, it } from 'vitest';
import type { GroupPlan } from '../../local/cloud/furnish.ts';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { isNodeReady } from '../../shared/nodes/node-condition.ts';
import { markOf, passesOf } from '../support/observed-instance.ts';

const groups = ['a', 'b', 'c'].map((zone) => `control-plane-${zone}`);

/** A control plane as kops makes it: a group of one instance in each of three zones. */
async function openControlPlane(settings: GroupPlan['settings'] = {}) {
  const world = createDroverWorld();
  const ids: string[] = [];
  for (const [index, { subnetId }] of world.account.ec2.instances.subnets().entries())
    ids.push(
      ...(await withWorkers(world, {
        autoScalingGroupName: groups[index] ?? '',
        size: 1,
        role: 'control-plane',
        settings: { VPCZoneIdentifier: subnetId, MinSize: 1, MaxSize: 1, ...settings },
      })),
    );
  return { world, ids };
}

const allMembers = (world: DroverWorld) => groups.flatMap((group) => membersOf(world, group));

/** Lets time pass until the instances have gone, and returns how many Nodes were there and Ready at least. */
async function replaced(world: DroverWorld, ids: readonly string[], withinSeconds = 3600) {
  let fewest = 3;
  await world.timeline.until(
    () => {
      fewest = Math.min(fewest, world.kubernetes.store.of('nodes').list().filter(isNodeReady).length);
      return ids.every((id) => stateOf(world, id) === undefined);
    },
    { withinSeconds, what: 'all of them replaced' },
  );
  return fewest;
}

const zonesOf = (world: DroverWorld) => allMembers(world).map(({ AvailabilityZone }) => AvailabilityZone);

describe('a control plane of three groups, each in its own zone', () => {
  // https://github.com/kubernetes/kops/issues/284: three masters in three groups were replaced at the same time.
  it('loses one node at a time, although an instance refresh of each group begins at once', async () => {
    const { world, ids } = await openControlPlane();
    const zones = zonesOf(world);
    for (const AutoScalingGroupName of groups)
      world.account.autoScaling.operations.StartInstanceRefresh({
        AutoScalingGroupName,
        Preferences: { MinHealthyPercentage: 0 },
      });
    expect(await replaced(world, ids)).toBeGreaterThanOrEqual(2);
    await world.timeline.pass(120);
    expect(zonesOf(world)).toEqual(zones);
    expect(nodesOf(world)).toHaveLength(3);
    expect(world.problems).toEqual([]);
  });

  it('loses no node that serves if its groups launch first, although all are set to Unhealthy at once', async () => {
    const policy = { MinHealthyPercentage: 100, MaxHealthyPercentage: 200 };
    const { world, ids } = await openControlPlane({ InstanceMaintenancePolicy: policy });
    for (const InstanceId of ids)
      world.account.autoScaling.operations.SetInstanceHealth({ InstanceId, HealthStatus: 'Unhealthy' });
    expect(await replaced(world, ids)).toBe(3);
    expect(allMembers(world)).toHaveLength(3);
  });

  it('loses one node at a time to a Health event that names all of them', async () => {
    const { world, ids } = await openControlPlane();
    world.account.ec2.accidents.healthEvent({ entities: ids });
    expect(await replaced(world, ids)).toBe(2);
  });

  it('keeps the next node until the replacement in the zone of the first one serves', async () => {
    const { world, ids } = await openControlPlane();
    const [first = '', second = ''] = ids;
    const zone = membersOf(world, groups[0])[0]?.AvailabilityZone ?? '';
    const offer = (available: boolean) =>
      world.account.ec2.accidents.setCapacity({
        instanceType: 'm5.large',
        availabilityZone: zone,
        available,
      });
    offer(false);
    terminate(world, first);
    await replaced(world, [first]);
    terminate(world, second);
    await world.timeline.pass(1800);
    expect(stateOf(world, second)).toBe('Terminating:Wait');
    expect(markOf(world, second)).toBeUndefined();
    expect(passesOf(world, second).map(({ reason }) => reason)).toContain(
      'the role control-plane waits for replacements: 1 more of its 3 instances must serve before the next one leaves',
    );
    offer(true);
    await replaced(world, [second]);
    await world.timeline.pass(300);
    expect(membersOf(world, groups[0])).toMatchObject([
      { AvailabilityZone: zone, LifecycleState: 'InService' },
    ]);
  });

  it('shrinks to two zones without waiting for an instance that is not desired', async () => {
    const { world, ids } = await openControlPlane();
    const [first = ''] = ids;
    world.account.autoScaling.operations.UpdateAutoScalingGroup({
      AutoScalingGroupName: groups[0],
      MinSize: 0,
      DesiredCapacity: 0,
    });
    await replaced(world, [first], 300);
    expect(allMembers(world)).toHaveLength(2);
  });
});
