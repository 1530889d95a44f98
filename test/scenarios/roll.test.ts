import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  hookName,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { createEtcdDroverWorld } from '../../local/world/etcd/etcd-world.ts';
import { untilWhole } from '../../local/world/etcd/expectations.ts';
import { boundsOf } from '../../local/world/holds.ts';
import { newVersion, putRoll, rollNodes, seenOf, versionsOf } from '../../local/world/rolls.ts';
import { budget, deployment, podsNamed, request, run } from '../../local/world/workloads.ts';
import type { Roll } from '../../shared/roll/roll.ts';
import { nodeNameOf } from '../support/observed-instance.ts';

const minute = 60;
const image = 'ami-0000000000000new0';

/** Workers with a Deployment under a budget, and a roll of them to a new version. */
async function rollingWorld({
  size = 3,
  roll = {},
  ...options
}: DroverWorldOptions & { readonly size?: number; readonly roll?: Partial<Roll> } = {}) {
  const world = createDroverWorld(options);
  await withWorkers(world, { size, settings: { MaxSize: size } });
  await run(world, deployment({ name: 'web', replicas: size * 2 }), budget('web', { maxUnavailable: 1 }));
  const target = newVersion(world, image);
  const ask = putRoll(world, { workers: target }, { bakeSeconds: minute, ...roll });
  return { world, ask, target };
}

const untilDone = (world: DroverWorld, withinSeconds = 3600, state = 'done') =>
  world.timeline.until(() => seenOf(world)?.state === state, {
    withinSeconds,
    what: `a roll that is ${state}`,
  });

const leaving = (world: DroverWorld, group = 'workers') =>
  membersOf(world, group).filter(({ LifecycleState }) => LifecycleState?.startsWith('Terminating'));

const running = (world: DroverWorld) =>
  podsNamed(world, 'web').filter(
    ({ metadata, status }) =>
      metadata?.deletionTimestamp === undefined &&
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  );

const changed = (world: DroverWorld, ask: Roll, more: Partial<Roll>) => {
  const { groups, name, ...rest } = ask;
  putRoll(world, {}, { ...rest, name, groups, ...more });
};

describe('a roll of workers', () => {
  it('replaces one after the other, under budgets, in even zones, and with the same sizes', async () => {
    const { world } = await rollingWorld({ size: 4 });
    const bounds = boundsOf(world);
    const zones = new Set(membersOf(world).map(({ AvailabilityZone }) => AvailabilityZone)).size;
    const seen = { leaving: 0, pods: Infinity, zones: Infinity };
    await world.timeline.until(
      () => {
        seen.leaving = Math.max(seen.leaving, leaving(world).length);
        seen.pods = Math.min(seen.pods, running(world).length);
        const serving = membersOf(world).filter(({ LifecycleState }) => LifecycleState === 'InService');
        seen.zones = Math.min(
          seen.zones,
          new Set(serving.map(({ AvailabilityZone }) => AvailabilityZone)).size,
        );
        expect(boundsOf(world)).toEqual(bounds);
        return seenOf(world)?.state === 'done';
      },
      { withinSeconds: 3600, what: 'the end of the roll' },
    );
    expect(versionsOf(world)).toEqual([2, 2, 2, 2]);
    expect(rollNodes(world)).toEqual([]);
    expect(seen.leaving).toBe(1);
    // One is evicted at a time.
    expect(seen.pods).toBeGreaterThanOrEqual(7);
    expect(seen.zones).toBeGreaterThanOrEqual(zones - 1);
    expect(world.problems).toEqual([]);
  });

  it('replaces as many at once as surge allows', async () => {
    const { world } = await rollingWorld({ size: 6, roll: { surge: 3 } });
    let most = 0;
    await world.timeline.until(
      () => {
        most = Math.max(most, leaving(world).length);
        return seenOf(world)?.state === 'done';
      },
      { withinSeconds: 3600, what: 'the end of the roll' },
    );
    expect(versionsOf(world)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(most).toBe(3);
  });

  it('waits for a budget that allows nothing, and comes back to its node', async () => {
    const { world } = await rollingWorld({ size: 2 });
    await run(world, deployment({ name: 'db', replicas: 2 }), budget('db', { maxUnavailable: 0 }));
    await world.timeline.pass(10 * minute);
    expect(seenOf(world)?.reason).toContain('budget db holds default/db-');
    expect(versionsOf(world)).toEqual([1, 1]);
    await request(world, 'DELETE', '/apis/policy/v1/namespaces/default/poddisruptionbudgets/db');
    await untilDone(world);
    expect(versionsOf(world)).toEqual([2, 2]);
  });

  it('is paused if the template changes in its middle, and replaces nothing more', async () => {
    const { world } = await rollingWorld();
    await world.timeline.until(() => versionsOf(world).includes(2), {
      withinSeconds: 600,
      what: 'the first',
    });
    newVersion(world, 'ami-0000000000000new1');
    await untilDone(world, 600, 'paused');
    expect(seenOf(world)?.reason).toContain('v2 -> v3');
    await world.timeline.pass(15 * minute);
    expect(versionsOf(world).filter((version) => version === 1)).toHaveLength(2);
    expect(leaving(world)).toEqual([]);
  });

  it('is paused while its group has lost the hook by which nodes are drained, and goes on once it is back', async () => {
    const { world } = await rollingWorld();
    await world.timeline.until(() => versionsOf(world).includes(2), {
      withinSeconds: 600,
      what: 'the first',
    });
    const { operations } = world.account.autoScaling;
    const hook = { AutoScalingGroupName: 'workers', LifecycleHookName: hookName };
    const [stored] = operations
      .DescribeLifecycleHooks({ AutoScalingGroupName: 'workers' })
      .LifecycleHooks.filter(({ LifecycleHookName }) => LifecycleHookName === hookName);
    operations.DeleteLifecycleHook(hook);
    await untilDone(world, 600, 'paused');
    const left = versionsOf(world).filter((version) => version === 1).length;
    expect(seenOf(world)?.reason).toContain('workers has no hook of Drover');
    await world.timeline.pass(15 * minute);
    expect(versionsOf(world).filter((version) => version === 1)).toHaveLength(left);
    operations.PutLifecycleHook({ ...stored, ...hook });
    await untilDone(world);
    expect(versionsOf(world)).toEqual([2, 2, 2]);
  });

  it('replaces instances within their grace period, in a group that launches before it terminates', async () => {
    const world = createDroverWorld();
    const settings = {
      InstanceMaintenancePolicy: { MinHealthyPercentage: 100, MaxHealthyPercentage: 150 },
      HealthCheckGracePeriod: 7200,
      DefaultInstanceWarmup: 30,
    };
    await withWorkers(world, { size: 2, settings });
    putRoll(world, { workers: newVersion(world, image) }, { canary: 0 });
    await untilDone(world, 3600);
    expect(versionsOf(world)).toEqual([2, 2]);
    expect(rollNodes(world)).toEqual([]);
  });

  // https://github.com/keikoproj/upgrade-manager/issues/124
  it('stops after three launches that fail, and the other nodes are free again', async () => {
    const { world } = await rollingWorld();
    for (const { availabilityZone } of world.account.ec2.instances.subnets())
      world.account.ec2.accidents.setCapacity({
        instanceType: 'm5.large',
        availabilityZone,
        available: false,
      });
    const pods = podsNamed(world, 'web').map(({ metadata }) => metadata?.uid);
    await untilDone(world, 1200, 'stopped');
    expect(seenOf(world)?.reason).toContain('launches of workers have failed');
    await world.timeline.pass(minute);
    expect(podsNamed(world, 'web').map(({ metadata }) => metadata?.uid)).toEqual(pods);
    const [held] = leaving(world);
    expect(rollNodes(world)).toEqual([nodeNameOf(world, held?.InstanceId ?? '')]);
  });

  it('leaves no mark and no taint behind if its parameters are deleted', async () => {
    const { world } = await rollingWorld();
    await world.timeline.until(() => rollNodes(world).length > 0, { withinSeconds: 600, what: 'the taints' });
    for (const Name of ['ask', 'seen'].map((part) => `/drover/drover/rolls/june/${part}`))
      if (world.account.ssm.controls.value(Name) !== undefined)
        world.account.ssm.operations.DeleteParameter({ Name });
    await world.timeline.until(() => rollNodes(world).length === 0, {
      withinSeconds: 900,
      what: 'the release',
    });
    expect(versionsOf(world).filter((version) => version === 1).length).toBeGreaterThanOrEqual(2);
  });

  it('ends although the API server is away for ten minutes', async () => {
    let isAway = false;
    const strike = ({ to }: CallInFlight): Strike | undefined =>
      isAway && to === 'kubernetes' ? { kind: 'fail-before' } : undefined;
    const { world } = await rollingWorld({ size: 2, weather: { strike } });
    await world.timeline.until(() => leaving(world).length > 0, { withinSeconds: 600, what: 'the first' });
    isAway = true;
    await world.timeline.pass(10 * minute);
    isAway = false;
    await untilDone(world);
    expect(versionsOf(world)).toEqual([2, 2]);
    expect(rollNodes(world)).toEqual([]);
  });
});

describe('a canary', () => {
  it('has its time to join again after an outage of the API server that took longer', async () => {
    let isAway = false;
    const strike = ({ to }: CallInFlight): Strike | undefined =>
      isAway && to === 'kubernetes' ? { kind: 'fail-before' } : undefined;
    const { world } = await rollingWorld({
      size: 2,
      weather: { strike },
      // Two minutes after the API server is back.
      kubelets: { configure: () => (isAway ? { readyDelaySeconds: 15 * minute } : {}) },
    });
    await world.timeline.until(() => leaving(world).length > 0, { withinSeconds: 600, what: 'the first' });
    isAway = true;
    await world.timeline.pass(13 * minute);
    isAway = false;
    await world.timeline.pass(minute);
    expect(seenOf(world)).toMatchObject({ state: 'running', unreadableUntil: expect.any(Number) });
    await untilDone(world);
    expect(versionsOf(world)).toEqual([2, 2]);
  });
});

describe('a roll of etcd, a control plane and workers', () => {
  it('keeps quorum, replaces one at a time of the former, and workers last', async () => {
    const world = createEtcdDroverWorld();
    addEtcdGroup(world, { size: 3 });
    await untilWhole(world, 3);
    await withWorkers(world, { size: 2, autoScalingGroupName: 'masters', role: 'control-plane' });
    await withWorkers(world, { size: 2 });
    const names = ['workers', 'masters', 'etcd'];
    const targets = Object.fromEntries(names.map((name) => [name, newVersion(world, image, name)]));
    putRoll(world, targets, { canary: 0 });
    const order: string[] = [];
    await world.timeline.until(
      () => {
        const leavers = names.filter((name) => leaving(world, name).length > 0);
        for (const name of leavers) if (order.at(-1) !== name) order.push(name);
        expect(leaving(world, 'etcd').length + leaving(world, 'masters').length).toBeLessThanOrEqual(1);
        const voting = world.etcd.world.running().filter(({ serves }) => serves);
        expect(voting.length).toBeGreaterThanOrEqual(2);
        return seenOf(world)?.state === 'done';
      },
      { withinSeconds: 4 * 3600, what: 'the end of the roll' },
    );
    expect(order).toEqual(['etcd', 'masters', 'workers']);
    for (const name of names) expect(new Set(versionsOf(world, name))).toEqual(new Set([2]));
    expect(rollNodes(world)).toEqual([]);
    expect(await untilWhole(world, 3)).toBeDefined();
  });
});

describe('an abort', () => {
  it.each([3, 63, 65, 67, 90, 150])(
    'after %i seconds leaves no mark and no taint, and replaces nothing more',
    async (seconds) => {
      const { world, ask } = await rollingWorld();
      await world.timeline.pass(seconds);
      changed(world, ask, { wanted: 'aborted' });
      await untilDone(world, 1200, 'aborted');
      expect(rollNodes(world)).toEqual([]);
      const versions = versionsOf(world);
      expect(versions).toHaveLength(3);
      await world.timeline.pass(10 * minute);
      expect(versionsOf(world)).toEqual(versions);
      const cordoned = world.kubernetes.store
        .of('nodes')
        .list()
        .filter(({ spec }) => spec?.unschedulable);
      expect(cordoned).toEqual([]);
    },
  );
});

type StrikeKind = 'fail-before' | 'fail-after' | 'kill-after';

/** A fault for calls of the function by their numbers. */
const striking = (kind: StrikeKind, isStruck: (number: number) => boolean) => {
  let calls = 0;
  const strike = ({ caller }: CallInFlight): Strike | undefined => {
    if (caller !== 'roll') return undefined;
    calls += 1;
    return isStruck(calls) ? { kind } : undefined;
  };
  return { strike, count: () => calls };
};

/** A roll ends as asked, and never more than one instance leaves. */
async function expectWhole(world: DroverWorld, size: number, what: string): Promise<void> {
  await world.timeline.until(
    () => {
      expect(leaving(world).length, what).toBeLessThanOrEqual(1);
      return seenOf(world)?.state === 'done';
    },
    { withinSeconds: 6 * 3600, what },
  );
  expect(versionsOf(world), what).toEqual(Array.from({ length: size }, () => 2));
  expect(rollNodes(world), what).toEqual([]);
}

describe('a roll whose function is disturbed', () => {
  // A pass makes some fifteen calls: with a shorter period, none would ever end.
  it.each<[StrikeKind, number]>([
    ['fail-before', 23],
    ['fail-after', 23],
    ['fail-after', 31],
    ['kill-after', 29],
    ['kill-after', 37],
    ['kill-after', 41],
  ])('by %s of every %ith call replaces all, one at a time', async (kind, nth) => {
    const { strike } = striking(kind, (call) => call % nth === 0);
    const { world } = await rollingWorld({ weather: { strike } });
    await expectWhole(world, 3, `the end of the roll with ${kind} of every ${nth}th call`);
  });

  it.each<StrikeKind>(['fail-after', 'kill-after'])(
    'by %s of any one call until the first instance leaves replaces all',
    async (kind) => {
      // Before it the function scans once, for the roll that is not there.
      for (let nth = 2; nth <= 45; nth += 3) {
        const { strike, count } = striking(kind, (call) => call === nth);
        const { world } = await rollingWorld({ size: 1, weather: { strike }, roll: { canary: 0 } });
        await expectWhole(world, 1, `the end of the roll with ${kind} of call ${nth}`);
        expect(count()).toBeGreaterThan(nth);
      }
    },
  );
});
