import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { newVersion, putRoll, rollNodes, seenOf, versionsOf } from '../../local/world/rolls.ts';
import { budget, deployment, podsNamed, run } from '../../local/world/workloads.ts';
import { isNodeReady } from '../../shared/nodes/node-condition.ts';
import type { Roll } from '../../shared/roll/roll.ts';
import { eventsOn, nodeNameOf, nodeObjectOf, untilGone } from '../support/observed-instance.ts';
import { createSmallAutoscaler, takeUnregistered } from '../support/small-autoscaler.ts';

// What users of other tools report of rolling replacements, each with its address.

const minute = 60;
const image = 'ami-0000000000000new0';

type Plan = DroverWorldOptions & {
  readonly size?: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly prepare?: (world: DroverWorld) => Promise<void> | void;
  readonly roll?: Partial<Roll>;
};

/** A roll of workers to a new version of their template. */
async function rolling({ size = 3, tags = {}, prepare, roll = {}, ...options }: Plan = {}) {
  const world = createDroverWorld(options);
  const ids = await withWorkers(world, { size, tags, settings: { MaxSize: 20 } });
  await prepare?.(world);
  const target = newVersion(world, image);
  const ask = putRoll(world, { workers: target }, { bakeSeconds: 0, ...roll });
  return { world, ids, ask };
}

const web = (replicas: number) => async (world: DroverWorld) =>
  await run(world, deployment({ name: 'web', replicas }), budget('web', { maxUnavailable: 1 }));

const states = (world: DroverWorld, group = 'workers') =>
  membersOf(world, group).map(({ LifecycleState = '' }) => LifecycleState);

const leaving = (world: DroverWorld, group = 'workers') =>
  states(world, group).filter((state) => state.startsWith('Terminating')).length;

const nodes = ({ kubernetes }: DroverWorld) => kubernetes.store.of('nodes').list();
const cordoned = (world: DroverWorld) => nodes(world).filter(({ spec }) => spec?.unschedulable).length;

const desired = ({ account }: DroverWorld) =>
  account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: ['workers'] })
    .AutoScalingGroups[0]?.DesiredCapacity;

/** Lets time pass until the roll is in this state, and looks at the world on the way. */
const until = (
  world: DroverWorld,
  look: () => void = () => undefined,
  state = 'done',
  withinSeconds = 7200,
) =>
  world.timeline.until(
    () => {
      look();
      return seenOf(world)?.state === state;
    },
    { withinSeconds, what: `a roll that is ${state}` },
  );

const uids = (world: DroverWorld, app = 'web') =>
  new Set(podsNamed(world, app).map(({ metadata }) => metadata?.uid ?? ''));

const isOfRoll = (world: DroverWorld, instanceId: string): boolean =>
  membersOf(world).some(
    ({ InstanceId, LaunchTemplate }) => InstanceId === instanceId && LaunchTemplate?.Version === '2',
  );

describe('an empty new node', () => {
  // https://github.com/deitch/aws-asg-roller/issues/19, https://github.com/aws/containers-roadmap/issues/916
  it('is kept from cluster-autoscaler while the roll bakes it, and only until the end of the roll', async () => {
    const { world } = await rolling({ size: 2, roll: { bakeSeconds: 15 * minute } });
    const autoscaler = createSmallAutoscaler(world, (id) => isOfRoll(world, id));
    await autoscaler.until(() => seenOf(world)?.state === 'done', 3600);
    expect(seenOf(world)?.state).toBe('done');
    expect(autoscaler.taken).toEqual([]);
    expect(desired(world)).toBe(2);
    expect(versionsOf(world)).toEqual([2, 2]);
    const kept = nodes(world).filter(({ metadata }) =>
      Object.keys(metadata.annotations ?? {}).some((key) => /scale-down-disabled|kept-empty/.test(key)),
    );
    expect(kept).toEqual([]);
    await autoscaler.until(() => autoscaler.candidates() === 2, 60);
    expect(autoscaler.candidates()).toBe(2);
  });
});

describe('room comes first', () => {
  // https://github.com/keikoproj/upgrade-manager/issues/45: it compared counts, and a node of the old template satisfied it.
  it('a node of the old template that another tool launches does not count as a replacement', async () => {
    const { world, ids } = await rolling({
      prepare: async (one) => {
        await web(6)(one);
        one.account.autoScaling.operations.SetDesiredCapacity({
          AutoScalingGroupName: 'workers',
          DesiredCapacity: 4,
        });
        await one.timeline.pass(2);
      },
    });
    const before = uids(world);
    await until(world, () => {
      const isReplaced = membersOf(world).some(({ InstanceId = '' }) => {
        const node = nodeObjectOf(world, InstanceId);
        return isOfRoll(world, InstanceId) && node !== undefined && isNodeReady(node);
      });
      if (!isReplaced) expect([...before].every((uid) => uids(world).has(uid))).toBe(true);
    });
    expect(versionsOf(world)).toEqual([2, 2, 2, 2]);
    for (const id of ids) expect(membersOf(world).map(({ InstanceId }) => InstanceId)).not.toContain(id);
  });

  // https://github.com/aws/karpenter-provider-aws/issues/3979
  it('an image whose nodes never join costs one old instance, which keeps its pods', async () => {
    let isBroken = false;
    const { world } = await rolling({
      kubelets: { configure: () => (isBroken ? undefined : {}) },
      prepare: async (one) => {
        await web(6)(one);
        isBroken = true;
      },
    });
    const before = uids(world);
    await until(world, undefined, 'stopped');
    expect(seenOf(world)?.reason).toContain('has not joined');
    await world.timeline.pass(20 * minute);
    expect(versionsOf(world).filter((version) => version === 1)).toHaveLength(3);
    expect(leaving(world)).toBe(1);
    expect(uids(world)).toEqual(before);
    expect(cordoned(world)).toBe(1);
  });

  // https://github.com/kubernetes/autoscaler/issues/6795
  it.each([0, 1])(
    'of a group that cluster-autoscaler shrinks while its launches fail, one old instance goes (canary %i)',
    async (canary) => {
      let isBroken = false;
      const { world } = await rolling({
        roll: { canary },
        kubelets: { configure: () => (isBroken ? undefined : {}) },
        prepare: async (one) => {
          await web(6)(one);
          isBroken = true;
        },
      });
      for (let passed = 0; passed < 4500; passed += minute) {
        await world.timeline.pass(minute);
        takeUnregistered(world, 5 * minute);
      }
      expect(versionsOf(world).filter((version) => version === 1).length).toBeGreaterThanOrEqual(2);
      expect(seenOf(world)?.state).toBe('stopped');
    },
  );
});

describe('bounds hold for the whole roll', () => {
  // https://github.com/aws/aws-node-termination-handler/issues/675
  it('of three groups, one for each zone, one node leaves at a time', async () => {
    const world = createDroverWorld();
    const names = ['workers-a', 'workers-b', 'workers-c'];
    for (const autoScalingGroupName of names)
      await withWorkers(world, { size: 2, autoScalingGroupName, settings: { MaxSize: 2 } });
    await web(6)(world);
    const targets = Object.fromEntries(names.map((name) => [name, newVersion(world, image, name)]));
    putRoll(world, targets, { bakeSeconds: 0 });
    await until(world, () => {
      expect(names.reduce((sum, name) => sum + leaving(world, name), 0)).toBeLessThanOrEqual(1);
      expect(cordoned(world)).toBeLessThanOrEqual(1);
    });
    for (const name of names) expect(versionsOf(world, name)).toEqual([2, 2]);
  });

  // https://github.com/aws/aws-node-termination-handler/issues/576
  it('two nodes that share a budget of one do not hold each other', async () => {
    const { world, ids } = await rolling({ size: 2, roll: { surge: 2, canary: 0 }, prepare: web(2) });
    const names = ids.map((id) => nodeNameOf(world, id));
    let fewest = Infinity;
    await until(world, () => {
      const ready = podsNamed(world, 'web').filter(
        ({ metadata, status }) =>
          metadata?.deletionTimestamp === undefined &&
          status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
      );
      fewest = Math.min(fewest, ready.length);
    });
    expect(fewest).toBe(1);
    for (const name of names) expect(eventsOn(world, name)).not.toContain('DrainForced');
  });

  // https://github.com/hellofresh/eks-rolling-update/issues/91, https://github.com/kubernetes-sigs/aws-load-balancer-controller/issues/1161
  it('no more nodes are cordoned than are replaced, however many are old', async () => {
    const { world } = await rolling({ size: 6, roll: { surge: 2 }, prepare: web(6) });
    let most = 0;
    await until(world, () => {
      most = Math.max(most, cordoned(world));
      expect(cordoned(world)).toBeLessThanOrEqual(2);
    });
    expect(most).toBe(2);
  });
});

describe('each pod', () => {
  // https://github.com/hellofresh/eks-rolling-update/issues/13, https://github.com/aws/aws-node-termination-handler/issues/537
  it('moves once, and only after all old nodes have the taint', async () => {
    const { world } = await rolling({ size: 6, prepare: web(18) });
    const before = uids(world);
    const all = new Set(before);
    let isTouched = false;
    await until(world, () => {
      for (const uid of uids(world)) all.add(uid);
      if (!isTouched && all.size > before.size) {
        isTouched = true;
        const old = membersOf(world).filter(({ LaunchTemplate }) => LaunchTemplate?.Version === '1');
        for (const { InstanceId = '' } of old)
          expect(nodeObjectOf(world, InstanceId)?.spec?.taints).toContainEqual(
            expect.objectContaining({ key: 'drover.dev/old-node', effect: 'PreferNoSchedule' }),
          );
      }
    });
    expect(isTouched).toBe(true);
    expect((all.size - before.size) / before.size).toBeLessThanOrEqual(1.1);
  });

  // https://github.com/kubernetes-sigs/karpenter/issues/1961, https://github.com/aws/karpenter-provider-aws/issues/7708
  it('that asks not to be disrupted is kept for the timeout of the roll, once', async () => {
    const { world } = await rolling({
      size: 1,
      tags: { 'drover.dev/drain-timeout': '10m' },
      roll: { annotationTimeoutSeconds: 3600 },
      prepare: (one) =>
        run(
          one,
          deployment({ name: 'job', replicas: 1, podAnnotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
        ),
    });
    const before = uids(world, 'job');
    const startedAt = world.clock.now();
    await world.timeline.pass(59 * minute);
    expect(uids(world, 'job')).toEqual(before);
    expect(states(world)).toEqual(['InService']);
    await until(world);
    expect((world.clock.now() - startedAt) / 60_000).toBeLessThan(75);
  });
});

describe('other controllers in the middle of a roll', () => {
  // https://github.com/TwiN/aws-eks-asg-rolling-update-handler/issues/129, https://github.com/aws/containers-roadmap/issues/1384
  it('may launch nine more, of which none goes at the end', async () => {
    const { world } = await rolling({ prepare: web(6) });
    await world.timeline.until(() => versionsOf(world).includes(2), {
      withinSeconds: 900,
      what: 'the first',
    });
    world.account.autoScaling.operations.SetDesiredCapacity({
      AutoScalingGroupName: 'workers',
      DesiredCapacity: 12,
    });
    const fresh = new Set<string>();
    await until(world, () => {
      for (const { InstanceId = '' } of membersOf(world))
        if (isOfRoll(world, InstanceId)) fresh.add(InstanceId);
    });
    expect(desired(world)).toBe(12);
    expect(fresh.size).toBe(12);
    expect(versionsOf(world)).toEqual(Array.from({ length: 12 }, () => 2));
  });

  // https://github.com/kubernetes/kops/issues/8867, https://github.com/atlassian-labs/cyclops/issues/65
  it('may take the marked node with the desired capacity lowered', async () => {
    const { world } = await rolling({ prepare: web(6) });
    await world.timeline.until(() => cordoned(world) === 1, { withinSeconds: 600, what: 'the mark' });
    const marked = membersOf(world).find(
      ({ InstanceId = '' }) => nodeObjectOf(world, InstanceId)?.spec?.unschedulable,
    );
    const id = marked?.InstanceId ?? '';
    if (marked?.LifecycleState === 'InService')
      world.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
        InstanceId: id,
        ShouldDecrementDesiredCapacity: true,
      });
    await untilGone(world, id, 1200);
    await until(world);
    expect(versionsOf(world)).toEqual([2, 2]);
  });

  // The instances of a warm pool keep the template of their launch (AWS, "Warm pools for Amazon EC2 Auto Scaling").
  it('may bring an instance of the old template from the warm pool: it is replaced too', async () => {
    const { world } = await rolling({
      size: 2,
      prepare: async (one) => {
        one.account.autoScaling.operations.PutWarmPool({
          AutoScalingGroupName: 'workers',
          MaxGroupPreparedCapacity: 4,
        });
        await one.timeline.pass(3 * minute);
        await web(4)(one);
      },
    });
    await until(world);
    const inService = membersOf(world).filter(({ LifecycleState }) => LifecycleState === 'InService');
    expect(inService.map(({ LaunchTemplate }) => LaunchTemplate?.Version)).toEqual(['2', '2']);
    expect(rollNodes(world)).toEqual([]);
  });
});
