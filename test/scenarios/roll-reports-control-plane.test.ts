import { describe, expect, it } from 'vitest';
import { clusterName } from '../../local/names.ts';
import { type DroverWorld, membersOf, terminate, withWorkers } from '../../local/world/drover-world.ts';
import { untilWhole } from '../../local/world/etcd/expectations.ts';
import { newVersion, putRoll, seenOf, versionsOf } from '../../local/world/rolls.ts';
import { barePod, podsOn, request } from '../../local/world/workloads.ts';
import { isReady } from '../../shared/draining/pod-facts.ts';
import { operatorOf } from '../cli/operator.ts';
import { createBesideWorld } from '../support/etcd/beside-api-servers.ts';
import { nodeObjectOf } from '../support/observed-instance.ts';
import {
  controlPlaneOf,
  expectNothingLeft,
  expectRolled,
  type RolledWorld,
  rollAll,
  rolledWorlds,
  untilRolled,
  watch,
} from '../support/rolls/strict-rolls.ts';

// What users of other tools report of rolling replacements of control planes and etcd, each with its address.

const minute = 60;
const image = 'ami-0000000000000new0';

const until = (world: DroverWorld, isSo: () => boolean, what: string, withinSeconds = 3600) =>
  world.timeline.until(isSo, { withinSeconds, what });

const isNew = (world: DroverWorld, group: string): boolean =>
  membersOf(world, group).some(
    ({ LaunchTemplate, LifecycleState }) => LaunchTemplate?.Version === '2' && LifecycleState === 'InService',
  );

const newIn = ({ world, strict }: RolledWorld): readonly string[] =>
  strict.filter((group) => isNew(world, group));

const leaving = ({ world, strict }: RolledWorld): readonly string[] =>
  strict.filter((group) =>
    membersOf(world, group).some(({ LifecycleState }) => LifecycleState?.startsWith('Terminating')),
  );

/** Lets time pass, watches it, and expects that no further instance leaves. */
async function expectHeld(rolled: RolledWorld, seconds: number, what: string): Promise<void> {
  const look = watch(rolled, what);
  const before = rolled.strict.map((group) => versionsOf(rolled.world, group).join());
  for (let passed = 0; passed < seconds; passed += 30) {
    await rolled.world.timeline.pass(30);
    look();
  }
  expect(
    rolled.strict.map((group) => versionsOf(rolled.world, group).join()),
    what,
  ).toEqual(before);
}

async function membersWorld(weather?: Parameters<(typeof rolledWorlds)[string]>[0]): Promise<RolledWorld> {
  const rolled = await rolledWorlds['three members of etcd']?.(weather);
  if (rolled === undefined) throw new Error('no world');
  return rolled;
}

/** How long an API server takes to be Ready. */
const startSeconds = 5 * minute;

/** Has the kubelet of each Node run an API server as a static pod, as kubeadm sets it up. */
async function mirrorApiServers(world: DroverWorld): Promise<void> {
  for (const { metadata } of world.kubernetes.store.of('nodes').list()) {
    const { metadata: pod, ...rest } = barePod(`kube-apiserver-${metadata.name}`, {
      nodeName: metadata.name,
    });
    if (apiServerOn(world, metadata.name)) continue;
    const annotations = {
      'kubernetes.io/config.mirror': metadata.uid,
      'cloud-sandbox/ready-seconds': String(startSeconds),
    };
    const { status, body } = await request(world, 'POST', '/api/v1/namespaces/kube-system/pods', {
      ...rest,
      metadata: { ...pod, namespace: 'kube-system', annotations },
    });
    expect(status, body).toBe(201);
  }
}

const apiServerOn = (world: DroverWorld, nodeName: string) =>
  podsOn(world, nodeName).find(({ metadata }) => metadata?.name === `kube-apiserver-${nodeName}`);

const nodesOf = (world: DroverWorld, group: string): readonly string[] =>
  membersOf(world, group).flatMap(
    ({ InstanceId = '' }) => nodeObjectOf(world, InstanceId)?.metadata.name ?? [],
  );

const unreadyApiServers = (world: DroverWorld, group: string): readonly string[] =>
  nodesOf(world, group).filter((name) => {
    const pod = apiServerOn(world, name);
    return pod === undefined || !isReady(pod);
  });

describe('the next control plane', () => {
  // https://github.com/kubernetes/kops/issues/9025, https://github.com/kubernetes/kops/issues/489
  it('waits although each group is rolled by a command of its own', async () => {
    const rolled = await controlPlaneOf(3);
    const { world, strict } = rolled;
    for (const name of strict)
      putRoll(world, { [name]: newVersion(world, image, name) }, { canary: 0, name });
    const look = watch(rolled, 'three rolls at once');
    await until(
      world,
      () => {
        look();
        for (const group of strict) expect(membersOf(world, group).length).toBeLessThanOrEqual(2);
        return strict.every((name) => seenOf(world, name)?.state === 'done');
      },
      'the end of three rolls',
    );
    for (const name of strict) expect(versionsOf(world, name)).toEqual([2]);
    expectNothingLeft(rolled, 'three rolls at once');
  });

  // https://github.com/kubernetes/kops/issues/4665: the third was not even listed, and the cluster was found valid.
  it.each([0, 1])('waits for one that never joins (canary %i)', async (canary) => {
    let isBroken = false;
    const rolled = await controlPlaneOf(2, { kubelets: { configure: () => (isBroken ? undefined : {}) } });
    isBroken = true;
    rollAll(rolled, { canary });
    await until(rolled.world, () => leaving(rolled).length > 0, 'the first leave');
    await rolled.world.timeline.pass(minute);
    await expectHeld(rolled, 20 * minute, 'a new control plane that never joins');
    expect(leaving(rolled)).toHaveLength(1);
    expect(seenOf(rolled.world)?.state).toBe(canary > 0 ? 'stopped' : 'running');
  });

  it('waits until the one before has baked in a group of its own', async () => {
    const rolled = await controlPlaneOf(3);
    const { world } = rolled;
    rollAll(rolled, { canary: 1, bakeSeconds: 10 * minute });
    const begins = new Map<string, number>();
    const look = watch(rolled, 'bakes between groups of one');
    await until(
      world,
      () => {
        look();
        for (const group of leaving(rolled)) if (!begins.has(group)) begins.set(group, world.clock.now());
        return seenOf(world)?.state === 'done';
      },
      'the end of the roll',
    );
    const [first = 0, second = 0, third = 0] = begins.values();
    for (const gap of [second - first, third - second]) expect(gap).toBeGreaterThan(10 * minute * 1000);
    expectNothingLeft(rolled, 'bakes between groups of one');
  });

  // https://github.com/kubernetes/kops/issues/8070: the one before was found valid, and went away again.
  it('waits for one that was Ready and is not any more', async () => {
    const rolled = await controlPlaneOf(3);
    const { world } = rolled;
    rollAll(rolled);
    await until(world, () => newIn(rolled).length === 1 && leaving(rolled).length === 0, 'the first');
    await operatorOf(world)('roll pause june');
    const [group = ''] = newIn(rolled);
    const kubelet = world.kubelets.get(membersOf(world, group)[0]?.InstanceId ?? '');
    kubelet?.pause();
    await world.timeline.pass(2 * minute);
    await operatorOf(world)('roll resume june');
    await expectHeld(rolled, 10 * minute, 'a new control plane that flaps');
    expect(leaving(rolled)).toEqual([]);
    expect(seenOf(world)?.reason).toContain('to come or to leave');
    kubelet?.resume();
    await expectRolled(rolled, 'a control plane that was away');
  });

  it('waits for the API server of the one before, which is Ready long after its Node', async () => {
    const rolled = await controlPlaneOf(2);
    const { world, strict } = rolled;
    await mirrorApiServers(world);
    await world.timeline.pass(startSeconds + minute);
    rollAll(rolled);
    const look = watch(rolled, 'API servers that start slowly');
    const reasons = new Set<string>();
    for (let passed = 0; passed < 90 * minute && seenOf(world)?.state !== 'done'; passed += 10) {
      await mirrorApiServers(world);
      await world.timeline.pass(10);
      look();
      reasons.add(seenOf(world)?.reason ?? '');
      const [leaver] = leaving(rolled);
      const others = strict.filter((group) => group !== leaver && isNew(world, group));
      for (const group of leaver ? others : []) expect(unreadyApiServers(world, group)).toEqual([]);
    }
    expect(seenOf(world)?.state).toBe('done');
    for (const group of strict) {
      expect(versionsOf(world, group)).toEqual([2]);
      const [node = ''] = nodesOf(world, group);
      expect([...reasons].join()).toContain(`the API server of ${node} is not Ready`);
      expect(unreadyApiServers(world, group)).toEqual([]);
    }
    expectNothingLeft(rolled, 'API servers that start slowly');
  });

  // https://github.com/kubernetes/kops/issues/10009
  it('does not wait for a group of workers that launches nodes which never join', async () => {
    const isWorker = (tags: ReadonlyMap<string, string>) =>
      tags.get('aws:autoscaling:groupName') === 'workers';
    const rolled = await controlPlaneOf(2, {
      kubelets: { configure: ({ tags }) => (isWorker(tags) ? undefined : {}) },
    });
    await withWorkers(rolled.world, { size: 2 });
    rollAll(rolled);
    await expectRolled(rolled, 'beside workers that never join');
  });

  // https://github.com/keikoproj/upgrade-manager/issues/95: the object was deleted, and instances went on to be terminated.
  it('stays if what is asked is deleted after the first', async () => {
    const rolled = await controlPlaneOf(2);
    const { world } = rolled;
    rollAll(rolled);
    await until(world, () => leaving(rolled).length > 0, 'the first leave');
    world.account.ssm.operations.DeleteParameter({ Name: `/drover/${clusterName}/rolls/june/ask` });
    await until(world, () => newIn(rolled).length === 1 && leaving(rolled).length === 0, 'the first');
    await expectHeld(rolled, 20 * minute, 'a roll that is deleted');
    expectNothingLeft(rolled, 'a roll that is deleted');
  });

  // https://github.com/hashicorp/terraform-provider-aws/issues/34189: a rollback launched the new version again.
  it('stays if people roll back: only what the roll has launched is replaced by the old version', async () => {
    const rolled = await controlPlaneOf(3);
    const { world, strict } = rolled;
    const before = strict.map((group) => membersOf(world, group)[0]?.InstanceId);
    rollAll(rolled);
    await until(world, () => newIn(rolled).length === 1 && leaving(rolled).length === 0, 'the first');
    const [changed = ''] = newIn(rolled);
    for (const AutoScalingGroupName of strict)
      world.account.autoScaling.operations.UpdateAutoScalingGroup({
        AutoScalingGroupName,
        LaunchTemplate: { LaunchTemplateName: AutoScalingGroupName, Version: '1' },
      });
    await until(world, () => seenOf(world)?.state === 'paused', 'the pause');
    expect(seenOf(world)?.reason).toContain('v2 -> v1');
    const old = strict.filter((group) => versionsOf(world, group).join() === '1');
    expect((await operatorOf(world)('roll resume june --retarget')).code).toBe(0);
    await untilRolled(rolled, 'a roll back');
    for (const group of strict) expect(versionsOf(world, group)).toEqual([1]);
    const now = strict.map((group) => membersOf(world, group)[0]?.InstanceId);
    for (const [index, group] of strict.entries())
      if (group !== changed && old.includes(group)) expect(now[index]).toBe(before[index]);
    expectNothingLeft(rolled, 'a roll back');
  });
});

describe('etcd in a roll', () => {
  // https://github.com/kubernetes-sigs/cluster-api/issues/3978: the removal of a member was not followed by that of its machine.
  it('keeps its quorum, and the roll ends, if its function is killed in every 23rd call', async () => {
    let calls = 0;
    const rolled = await membersWorld({
      strike: ({ caller }) => {
        if (caller !== 'etcd-membership') return undefined;
        calls += 1;
        return calls > 100 && calls % 23 === 0 ? { kind: 'kill-after' } : undefined;
      },
    });
    rollAll(rolled);
    await expectRolled(rolled, 'killed in every 23rd call');
    expect(calls).toBeGreaterThan(123);
  });

  // https://github.com/kubernetes-sigs/cluster-api/issues/2818, https://github.com/rancher/rancher/issues/11093
  it('keeps its quorum if people terminate the other two members while the first leaves', async () => {
    const rolled = await membersWorld();
    const { world } = rolled;
    rollAll(rolled);
    await until(world, () => leaving(rolled).length > 0, 'the first leave');
    for (const { InstanceId = '', LifecycleState, LaunchTemplate } of membersOf(world, 'etcd'))
      if (LifecycleState === 'InService' && LaunchTemplate?.Version === '1') terminate(world, InstanceId);
    const look = watch({ ...rolled, strict: [] }, 'three members that leave');
    await until(
      world,
      () => {
        look();
        return seenOf(world)?.state === 'done';
      },
      'the end of the roll',
      4 * 3600,
    );
    expect(versionsOf(world, 'etcd')).toEqual([2, 2, 2]);
    await untilWhole(world, 3);
    expectNothingLeft(rolled, 'three members that leave');
  });
});

// https://github.com/kubernetes/kops/issues/14172: the only API server was taken from its balancer, and nothing could drain its node.
it('the only control plane with etcd beside is replaced, although no API server answers meanwhile', async () => {
  const world = createBesideWorld(1);
  const clusterId = await untilWhole(world, 1);
  await world.timeline.pass(minute);
  const rolled: RolledWorld = { world, strict: ['etcd'], workers: [], members: 0 };
  rollAll(rolled);
  await expectRolled(rolled, 'the only control plane');
  expect(await untilWhole(world, 1)).toBe(clusterId);
});
