import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { newVersion, putRoll, rollNodes, seenOf, versionsOf } from '../../local/world/rolls.ts';
import type { LaunchedFrom } from '../../shared/roll/roll.ts';
import { operatorOf } from '../cli/operator.ts';
import {
  controlPlaneOf,
  expectNothingLeft,
  expectRolled,
  rollAll,
  rolledWorlds,
  untilRolled,
  watch,
} from '../support/rolls/strict-rolls.ts';

const minute = 60;
const image = 'ami-0000000000000new0';

const until = (world: DroverWorld, isSo: () => boolean, what: string, withinSeconds = 3600) =>
  world.timeline.until(isSo, { withinSeconds, what });

const isIn = (world: DroverWorld, state: string, name?: string) => (): boolean =>
  seenOf(world, name)?.state === state;

const statesIn = (world: DroverWorld, group: string): readonly string[] =>
  membersOf(world, group).map(({ LifecycleState = '' }) => LifecycleState);

const leavesIn = (world: DroverWorld, group: string) => (): boolean =>
  statesIn(world, group).some((state) => state.startsWith('Terminating'));

const groups = ({ account }: DroverWorld) => account.autoScaling.operations;

/** Workers without pods, and a new version of their template. */
async function workersOf(
  size: number,
  names: readonly string[] = ['workers'],
): Promise<{ readonly world: DroverWorld; readonly targets: Readonly<Record<string, LaunchedFrom>> }> {
  const world = createDroverWorld();
  for (const autoScalingGroupName of names)
    await withWorkers(world, { size, autoScalingGroupName, settings: { MinSize: 0, MaxSize: size } });
  const targets = Object.fromEntries(names.map((name) => [name, newVersion(world, image, name)]));
  return { world, targets };
}

const expectClean = (world: DroverWorld, name?: string): void => {
  expect(rollNodes(world, name)).toEqual([]);
  expect(
    world.kubernetes.store
      .of('nodes')
      .list()
      .filter(({ spec }) => spec?.unschedulable),
  ).toEqual([]);
};

describe('two people', () => {
  it('who begin a roll of one group in the same moment replace each instance once', async () => {
    const { world } = await workersOf(2);
    const drover = operatorOf(world);
    const names = ['june', 'july'];
    const codes = await Promise.all(
      names.map(async (name) => (await drover(`roll workers --everything --canary 0 --name ${name}`)).code),
    );
    expect(codes).toContain(0);
    const seen = new Set<string>();
    const paused = new Set<string>();
    await until(
      world,
      () => {
        for (const { InstanceId = '' } of membersOf(world)) seen.add(InstanceId);
        for (const name of names)
          if (isIn(world, 'paused', name)()) paused.add(seenOf(world, name)?.reason ?? '');
        expect(
          statesIn(world, 'workers').filter((state) => state.startsWith('Terminating')).length,
        ).toBeLessThan(2);
        return names.every((name, index) => codes[index] !== 0 || isIn(world, 'done', name)());
      },
      'the end of both rolls',
    );
    expect(seen.size).toBe(4);
    if (codes[0] === codes[1])
      expect([...paused].join()).toMatch(/^the roll (?:june|july) replaces workers already$/);
    for (const name of names) expectClean(world, name);
  });

  it('of whom one pauses and one resumes get what the last one asked for, and an abort outranks both', async () => {
    const { world, targets } = await workersOf(3);
    putRoll(world, targets, { canary: 0, name: 'june' });
    const drover = operatorOf(world);
    await until(world, leavesIn(world, 'workers'), 'the first leave');
    await drover('roll pause june');
    await drover('roll resume june');
    await drover('roll pause june');
    await until(world, isIn(world, 'paused'), 'the pause');
    await world.timeline.pass(10 * minute);
    expect(versionsOf(world).filter((version) => version === 1)).toHaveLength(2);
    await drover('roll resume june');
    await until(world, () => versionsOf(world).filter((version) => version === 2).length === 2, 'the second');
    const [aborted, resumed] = [await drover('roll abort june'), await drover('roll resume june')];
    expect([aborted.code, resumed.code]).toEqual([0, 1]);
    await until(world, isIn(world, 'aborted'), 'the abort');
    expectClean(world);
  });
});

describe('a group that is changed in the middle of its roll', () => {
  it('is deleted: the other group is replaced, and the roll stops with nothing on any node', async () => {
    const { world, targets } = await workersOf(1, ['workers-a', 'workers-b']);
    putRoll(world, targets, { canary: 0 });
    await until(world, leavesIn(world, 'workers-a'), 'the first leave');
    groups(world).DeleteAutoScalingGroup({ AutoScalingGroupName: 'workers-a', ForceDelete: true });
    await until(world, isIn(world, 'stopped'), 'the stop');
    expect(seenOf(world)?.reason).toContain('workers-a is not a managed group of the cluster any more');
    expect(versionsOf(world, 'workers-b')).toEqual([2]);
    expectClean(world);
  });

  it('is scaled to 0 and back: the roll is done, and what comes later is new', async () => {
    const { world, targets } = await workersOf(3);
    putRoll(world, targets, { canary: 0 });
    await until(world, leavesIn(world, 'workers'), 'the first leave');
    groups(world).SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 0 });
    await until(world, isIn(world, 'done'), 'the end of the roll');
    await until(world, () => membersOf(world).length === 0, 'the empty group');
    groups(world).SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 2 });
    await until(world, () => statesIn(world, 'workers').join() === 'InService,InService', 'the new nodes');
    expect(versionsOf(world)).toEqual([2, 2]);
    expectClean(world);
  });

  it('loses an old node to an autoscaler that lowers its desired capacity: the roll takes none meanwhile', async () => {
    const { world, targets } = await workersOf(4);
    putRoll(world, targets, { canary: 0 });
    await until(world, () => versionsOf(world).includes(2) && !leavesIn(world, 'workers')(), 'the first');
    await until(world, () => rollNodes(world).length > 0, 'the next');
    const other = membersOf(world).findLast(
      ({ LaunchTemplate, LifecycleState }) =>
        LaunchTemplate?.Version === '1' && LifecycleState === 'InService',
    );
    groups(world).TerminateInstanceInAutoScalingGroup({
      InstanceId: other?.InstanceId ?? '',
      ShouldDecrementDesiredCapacity: true,
    });
    await until(
      world,
      () => {
        expect(
          statesIn(world, 'workers').filter((state) => state.startsWith('Terminating')).length,
        ).toBeLessThan(3);
        return isIn(world, 'done')();
      },
      'the end of the roll',
    );
    expect(versionsOf(world)).toEqual([2, 2, 2]);
    expectClean(world);
  });

  it('is balanced by Auto Scaling, which launches and terminates: the roll replaces all, with the same sizes', async () => {
    const { world, targets } = await workersOf(4);
    const [zone = ''] = membersOf(world).map(({ AvailabilityZone = '' }) => AvailabilityZone);
    const capacity = (available: boolean) =>
      world.account.ec2.accidents.setCapacity({
        instanceType: 'm5.large',
        availabilityZone: zone,
        available,
      });
    // What leaves this zone is replaced in another one until it has capacity again.
    capacity(false);
    putRoll(world, targets, { canary: 0 });
    await until(
      world,
      () => versionsOf(world).filter((version) => version === 2).length === 2,
      'two of four',
    );
    capacity(true);
    let most = 0;
    await until(
      world,
      () => {
        most = Math.max(most, membersOf(world).length);
        return isIn(world, 'done')() || isIn(world, 'stopped')();
      },
      'the end of the roll',
    );
    expect([seenOf(world)?.state, ...versionsOf(world)]).toEqual(['done', 2, 2, 2, 2]);
    expect(most).toBeLessThanOrEqual(6);
    expectClean(world);
  });
});

describe('a control plane that is changed in the middle of its roll', () => {
  it('loses the role of one group while its instance leaves: the other keeps its instance until people resume', async () => {
    const rolled = await controlPlaneOf(2);
    const { world } = rolled;
    rollAll(rolled);
    const first = await until(
      world,
      () => rolled.strict.some((group) => leavesIn(world, group)()),
      'a leave',
    ).then(() => rolled.strict.find((group) => leavesIn(world, group)()) ?? '');
    const [other = ''] = rolled.strict.filter((group) => group !== first);
    const tag = { Key: 'drover.dev/role', ResourceId: first, ResourceType: 'auto-scaling-group' };
    groups(world).DeleteTags({ Tags: [tag] });
    await until(world, isIn(world, 'stopped'), 'the stop');
    expect(seenOf(world)?.reason).toContain(`${first} is not a managed group of the cluster any more`);
    await world.timeline.pass(10 * minute);
    expect([...statesIn(world, other), ...versionsOf(world, other)]).toEqual(['InService', 1]);
    groups(world).CreateOrUpdateTags({
      Tags: [{ ...tag, Value: 'control-plane', PropagateAtLaunch: false }],
    });
    expect((await operatorOf(world)('roll resume june')).code).toBe(0);
    await expectRolled(rolled, 'after the tag is back');
  });

  it('has an instance protected and one in Standby: both are left, and one leaves at a time', async () => {
    const rolled = await controlPlaneOf(3);
    const { world, strict } = rolled;
    rollAll(rolled);
    await until(world, () => strict.some((group) => leavesIn(world, group)()), 'the first leave');
    const [kept = '', aside = ''] = strict.filter((group) => !leavesIn(world, group)());
    const idOf = (group: string) => membersOf(world, group)[0]?.InstanceId ?? '';
    groups(world).SetInstanceProtection({
      AutoScalingGroupName: kept,
      InstanceIds: [idOf(kept)],
      ProtectedFromScaleIn: true,
    });
    groups(world).EnterStandby({
      AutoScalingGroupName: aside,
      InstanceIds: [idOf(aside)],
      ShouldDecrementDesiredCapacity: true,
    });
    await untilRolled(rolled, 'with a protected instance and one in Standby');
    const { reason } = seenOf(world) ?? {};
    expect(reason).toContain('is protected from scale-in');
    expect(reason).toContain('once it is back in service, another roll replaces it');
    expect([...versionsOf(world, kept), ...versionsOf(world, aside)]).toEqual([1, 1]);
    expectNothingLeft(rolled, 'with instances left out');
  });

  // https://github.com/ranchergovernment/rke2-aws-tf/issues/40: a refresh replaced all servers, and etcd was lost.
  it('is refreshed by Auto Scaling: the roll pauses, etcd keeps its quorum, and the roll ends', async () => {
    const rolled = await rolledWorlds['three members of etcd']?.();
    if (rolled === undefined) throw new Error('no world');
    const { world } = rolled;
    rollAll(rolled);
    await until(world, leavesIn(world, 'etcd'), 'the first leave');
    groups(world).StartInstanceRefresh({
      AutoScalingGroupName: 'etcd',
      Preferences: { MinHealthyPercentage: 66, SkipMatching: true },
    });
    const look = watch({ ...rolled, strict: [] }, 'beside an instance refresh');
    const states = new Set<string>();
    await until(
      world,
      () => {
        look();
        states.add(seenOf(world)?.state ?? '');
        return isIn(world, 'done')();
      },
      'the end of the roll',
      4 * 3600,
    );
    expect(states).toContain('paused');
    expect(versionsOf(world, 'etcd')).toEqual([2, 2, 2]);
    expectNothingLeft(rolled, 'after an instance refresh');
  });
});
