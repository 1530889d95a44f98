import { createRandom, type Random } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import { type DroverWorld, membersOf, stateOf, terminate } from '../../local/world/drover-world.ts';
import { createEtcdDroverWorld } from '../../local/world/etcd/etcd-world.ts';
import { inService, lastProblem, peersIn } from '../../local/world/etcd/expectations.ts';
import { quorumOf } from '../../shared/etcd/next-step.ts';

const groups = ['a', 'b', 'c'].map((zone) => `etcd-${zone}`);
const launchFirst = { MinHealthyPercentage: 100, MaxHealthyPercentage: 200 };

const serving = (world: DroverWorld) => groups.flatMap((group) => inService(world, group)).toSorted();

/** How many of the members that vote serve, and how many must. Undefined before the cluster exists. */
function votesIn({ etcd }: DroverWorld): { readonly votes: number; readonly needed: number } | undefined {
  const running = etcd.world.running().filter((one) => one.serves);
  const voters = running[0]?.members.filter(({ isLearner }) => !isLearner) ?? [];
  if (voters.length === 0) return undefined;
  const votes = voters.filter(({ id }) => running.some(({ memberId }) => memberId === id)).length;
  return { votes, needed: quorumOf(voters.length) };
}

/** Lets time pass until one member of each group serves and is in DNS. The cluster has quorum all the time. */
async function untilWhole(world: DroverWorld, withinSeconds = 7200): Promise<void> {
  let isBorn = false;
  await world.timeline.until(
    () => {
      const now = votesIn(world);
      isBorn ||= now !== undefined;
      if (isBorn && (now === undefined || now.votes < now.needed))
        throw new Error(`the cluster has lost its quorum: ${JSON.stringify(now)}`);
      const members = groups.flatMap((group) => membersOf(world, group));
      return (
        members.length === 3 &&
        serving(world).length === 3 &&
        serving(world).join() === peersIn(world).join() &&
        now?.votes === 3
      );
    },
    { withinSeconds, what: 'a whole cluster' },
  );
}

/** An etcd cluster of three groups of one member, each in its own zone. */
async function openZones(settings: object = {}, seed = 1) {
  const world = createEtcdDroverWorld({ seed });
  for (const [index, { subnetId }] of world.account.ec2.instances.subnets().entries())
    addEtcdGroup(world, {
      size: 1,
      autoScalingGroupName: groups[index] ?? '',
      settings: { VPCZoneIdentifier: subnetId, MaxSize: 1, ...settings },
    });
  await untilWhole(world);
  return world;
}

const setCapacity = (world: DroverWorld, group: string, available: boolean): void => {
  const index = groups.indexOf(group);
  const availabilityZone = world.account.ec2.instances.subnets()[index]?.availabilityZone ?? '';
  world.account.ec2.accidents.setCapacity({ instanceType: 'm5.large', availabilityZone, available });
};

/** Begins to replace members of these groups at once, each in one of the ways that Auto Scaling and EC2 know. */
function disturb(world: DroverWorld, random: Random): readonly string[] {
  const ids = serving(world);
  const { operations } = world.account.autoScaling;
  const ways = [
    () => ids.slice(0, 2).forEach((id) => terminate(world, id)),
    () => ids.forEach((id) => terminate(world, id)),
    () =>
      ids.forEach((InstanceId) => operations.SetInstanceHealth({ InstanceId, HealthStatus: 'Unhealthy' })),
    () => groups.forEach((AutoScalingGroupName) => operations.StartInstanceRefresh({ AutoScalingGroupName })),
    () => world.account.ec2.accidents.kill(ids[0] ?? ''),
    () => {
      world.account.ec2.accidents.kill(ids[0] ?? '');
      terminate(world, ids[1] ?? '');
    },
    () => world.account.ec2.accidents.healthEvent({ entities: ids }),
  ];
  random.pick(ways)();
  return ids;
}

describe('an etcd cluster of three groups, each in its own zone', () => {
  // kops#284 and kube-aws#411: members of several groups were replaced at once, and etcd did not answer.
  it.each([
    ['', {}],
    [' that launch first', { InstanceMaintenancePolicy: launchFirst }],
  ])('keeps its quorum while two of its groups%s are replaced at once', async (_, settings) => {
    const world = await openZones(settings);
    const [one = '', two = ''] = serving(world);
    for (const InstanceId of [one, two])
      world.account.autoScaling.operations.SetInstanceHealth({ InstanceId, HealthStatus: 'Unhealthy' });
    await world.timeline.pass(10);
    await untilWhole(world);
    expect(serving(world)).not.toContain(one);
    expect(serving(world)).not.toContain(two);
    expect(world.problems).toEqual([]);
  });

  it.each([2, 3, 4, 5, 6, 7])('keeps its quorum whatever happens to its groups (seed %i)', async (seed) => {
    const random = createRandom(seed);
    const settings = random.next() < 0.5 ? {} : { InstanceMaintenancePolicy: launchFirst };
    const world = await openZones(settings, seed);
    for (let round = 0; round < 2; round += 1) {
      disturb(world, random);
      await world.timeline.pass(60);
      await untilWhole(world);
    }
  });

  // kops#2064 and etcd-cloud-operator#45: a replacement could not join, and another member was lost meanwhile.
  it('of which two zones have no capacity keeps the member that is to leave until one of them has', async () => {
    const world = await openZones();
    const [first = ''] = inService(world, groups[0]);
    const [second = ''] = inService(world, groups[1]);
    for (const group of groups.slice(0, 2)) setCapacity(world, group, false);
    world.account.ec2.accidents.kill(first);
    await world.timeline.pass(900);
    terminate(world, second);
    await world.timeline.pass(3600);
    expect(stateOf(world, second)).toBe('Terminating:Wait');
    expect(votesIn(world)).toEqual({ votes: 2, needed: 2 });
    expect(lastProblem(world)).toMatch(/one more must join first/);
    for (const group of groups.slice(0, 2)) setCapacity(world, group, true);
    await untilWhole(world);
    expect(serving(world)).not.toContain(second);
  });
});
