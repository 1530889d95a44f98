import { describe, expect, it } from 'vitest';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import { membersOf, stateOf, terminate } from '../../local/world/drover-world.ts';
import { clustersOf, createEtcdDroverWorld } from '../../local/world/etcd/etcd-world.ts';
import {
  hostMarksIn,
  inService,
  lastProblem,
  lastReason,
  markIn,
  peersIn,
  statusTagIn,
  untilWhole,
} from '../../local/world/etcd/expectations.ts';

async function bornWith(size: number) {
  const world = createEtcdDroverWorld();
  addEtcdGroup(world, { size });
  const clusterId = await untilWhole(world, size);
  return { world, clusterId };
}

const resize = (world: Awaited<ReturnType<typeof bornWith>>['world'], DesiredCapacity: number): void => {
  world.account.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'etcd', DesiredCapacity });
};

describe('a control plane', () => {
  it.each([1, 3, 5])(
    'of %i members forms one cluster from the records, and its id becomes the mark',
    async (size) => {
      const { world, clusterId } = await bornWith(size);
      expect(markIn(world)).toMatchObject({
        birth: { kind: 'born', clusterId: BigInt(clusterId).toString(16) },
      });
      expect([...hostMarksIn(world).values()].map(({ state }) => state)).toEqual(
        Array(size).fill('existing'),
      );
      expect(world.problems).toEqual([]);
    },
  );

  it('whose members arrive one by one publishes nothing until the last has arrived', async () => {
    const world = createEtcdDroverWorld();
    addEtcdGroup(world, { size: 3 });
    world.account.autoScaling.operations.SuspendProcesses({
      AutoScalingGroupName: 'etcd',
      ScalingProcesses: ['Launch'],
    });
    await world.timeline.pass(60);
    expect(peersIn(world)).toEqual([]);
    world.account.autoScaling.operations.ResumeProcesses({ AutoScalingGroupName: 'etcd' });
    await untilWhole(world, 3);
  });

  it('keeps its cluster and quorum while each member is replaced in turn', async () => {
    const { world, clusterId } = await bornWith(3);
    let fewest = 3;
    const onLook = () => {
      fewest = Math.min(fewest, clustersOf(world).get(clusterId)?.length ?? 0);
    };
    for (const instanceId of inService(world)) {
      terminate(world, instanceId);
      expect(await untilWhole(world, 3, { onLook })).toBe(clusterId);
      expect(inService(world)).not.toContain(instanceId);
    }
    expect(fewest).toBeGreaterThanOrEqual(2);
    expect(world.problems).toEqual([]);
  });

  it('replaces all members one by one if all must leave at once', async () => {
    const { world, clusterId } = await bornWith(3);
    const first = inService(world);
    for (const instanceId of first) terminate(world, instanceId);
    expect(await untilWhole(world, 3, { withinSeconds: 3600 })).toBe(clusterId);
    expect(inService(world).filter((instanceId) => first.includes(instanceId))).toEqual([]);
  });

  it('of one member replaces it without losing the cluster', async () => {
    const { world, clusterId } = await bornWith(1);
    const [only = ''] = inService(world);
    terminate(world, only);
    expect(await untilWhole(world, 1)).toBe(clusterId);
    expect(inService(world)).not.toContain(only);
  });

  it('grows from one to three to five and shrinks to three', async () => {
    const { world, clusterId } = await bornWith(1);
    for (const size of [3, 5, 3]) {
      resize(world, size);
      expect(await untilWhole(world, size, { withinSeconds: 3600 })).toBe(clusterId);
    }
  });
});

describe('a member that dies without a hook', () => {
  it('is found, removed and replaced even without an event', async () => {
    const { world, clusterId } = await bornWith(3);
    const [dead = ''] = inService(world);
    world.account.ec2.accidents.kill(dead);
    expect(await untilWhole(world, 3, { withinSeconds: 3600 })).toBe(clusterId);
    expect(inService(world)).not.toContain(dead);
    expect(peersIn(world)).not.toContain(dead);
  });
});

describe('a removal that would break quorum', () => {
  it('waits while one of three does not answer, is reported on the group, and happens once it does', async () => {
    const { world, clusterId } = await bornWith(3);
    const [broken = '', leaving = ''] = inService(world);
    world.etcd.world.kill(broken);
    terminate(world, leaving);
    await world.timeline.pass(900);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(lastProblem(world)).toBe(
      `${leaving}: it cannot be removed: of the 2 remaining members 1 can vote, and 2 must`,
    );
    expect(statusTagIn(world)).toMatch(/it cannot be removed/);
    world.etcd.world.start(broken);
    expect(await untilWhole(world, 3)).toBe(clusterId);
    expect(statusTagIn(world)).toBeUndefined();
  });

  it('does not happen if the group is scaled to zero: the last member waits until a new one joins', async () => {
    const { world, clusterId } = await bornWith(3);
    resize(world, 0);
    await world.timeline.pass(1800);
    expect([...clustersOf(world).values()].map((members) => members.length)).toEqual([1]);
    expect(lastReason(world)).toMatch(/the last member/);
    resize(world, 3);
    expect(await untilWhole(world, 3, { withinSeconds: 3600 })).toBe(clusterId);
  });
});

describe('a member that must leave while no instance can be launched to replace it', () => {
  /** Two of three members are left. */
  async function withoutCapacity(heartbeatTimeoutSeconds: number) {
    const world = createEtcdDroverWorld();
    addEtcdGroup(world, { size: 3, heartbeatTimeoutSeconds, reserved: 'capacity-block' });
    const clusterId = await untilWhole(world, 3);
    world.account.autoScaling.operations.SuspendProcesses({
      AutoScalingGroupName: 'etcd',
      ScalingProcesses: ['Launch'],
    });
    const [dead = '', leaving = '', last = ''] = inService(world);
    world.account.ec2.accidents.kill(dead);
    await world.timeline.until(() => peersIn(world).length === 2, {
      withinSeconds: 1200,
      what: 'the removal of the dead member',
    });
    return { world, clusterId, leaving, last };
  }

  it('is reported, and removed before its wait ends: the last member keeps its quorum', async () => {
    const { world, clusterId, leaving, last } = await withoutCapacity(60);
    terminate(world, leaving);
    await world.timeline.pass(1200);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(lastProblem(world)).toMatch(
      new RegExp(`^${leaving}: of 3 members 2 vote: one more must join first, or it is removed at 20`),
    );
    expect(statusTagIn(world)).toMatch(/one more must join first/);
    await world.timeline.until(() => stateOf(world, leaving) === undefined, {
      withinSeconds: 6000,
      what: 'the end of the instance',
    });
    expect(clustersOf(world)).toEqual(new Map([[clusterId, [last]]]));
    world.account.autoScaling.operations.ResumeProcesses({ AutoScalingGroupName: 'etcd' });
    expect(await untilWhole(world, 3)).toBe(clusterId);
    expect(statusTagIn(world)).toBeUndefined();
  });

  it('by EC2, in two minutes, is removed before they are over', async () => {
    const { world, clusterId, leaving, last } = await withoutCapacity(3600);
    world.account.ec2.accidents.interruptCapacityReservation({ instanceId: leaving, noticeSeconds: 120 });
    await world.timeline.until(() => clustersOf(world).get(clusterId)?.join() === last, {
      withinSeconds: 119,
      what: 'the removal',
    });
    await world.timeline.pass(600);
    expect(clustersOf(world)).toEqual(new Map([[clusterId, [last]]]));
    expect(peersIn(world)).toEqual([last]);
  });
});

describe('a lost cluster', () => {
  it('is not replaced by another: the new instances wait, and the problem is reported', async () => {
    const { world } = await bornWith(3);
    for (const instanceId of inService(world)) world.account.ec2.accidents.kill(instanceId);
    await world.timeline.pass(3600);
    expect([...clustersOf(world).keys()]).toEqual([]);
    const waiting = membersOf(world, 'etcd').filter(
      ({ LifecycleState }) => LifecycleState === 'Pending:Wait',
    );
    expect(waiting).toHaveLength(3);
    expect(lastReason(world)).toMatch(
      /no member of cluster \w+ answers .* bootstraps no other cluster over it/,
    );
  });
});
