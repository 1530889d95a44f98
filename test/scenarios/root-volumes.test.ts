import { describe, expect, it } from 'vitest';
import { addEtcdGroup, etcdHook } from '../../local/etcd-group.ts';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  nodesOf,
  stateOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { clustersOf, createEtcdDroverWorld } from '../../local/world/etcd/etcd-world.ts';
import { inService, lastReason, untilWhole } from '../../local/world/etcd/expectations.ts';
import { heldDeployment, run } from '../../local/world/workloads.ts';
import { isNodeReady } from '../../shared/nodes/node-condition.ts';
import { countCalls, markOf, nodeObjectOf, untilSaid } from '../support/observed-instance.ts';
import { refresh } from '../support/root-volumes.ts';

const statusOf = ({ account }: DroverWorld, AutoScalingGroupName = 'workers') =>
  account.autoScaling.operations.DescribeInstanceRefreshes({ AutoScalingGroupName }).InstanceRefreshes[0]
    ?.Status;

const podsOn = ({ kubernetes }: DroverWorld, nodeName: string) =>
  kubernetes.store
    .of('pods')
    .list()
    .filter(({ spec }) => spec?.nodeName === nodeName);

const bootOf = (world: DroverWorld, id: string) => nodeObjectOf(world, id)?.status?.nodeInfo?.bootID;

describe('a root volume that is replaced', () => {
  it('waits until the node is drained; the Node stays and is uncordoned when it is Ready again', async () => {
    const world = createDroverWorld();
    const ids = await withWorkers(world, { size: 2 });
    await run(world, ...heldDeployment({ name: 'held', replicas: 4, graceSeconds: 5 }));
    const before = ids.map((id) => nodeObjectOf(world, id)?.metadata?.uid);
    const boots = ids.map((id) => bootOf(world, id));
    refresh(world);
    await world.timeline.until(() => ids.some((id) => markOf(world, id)), {
      withinSeconds: 60,
      what: 'a mark',
    });
    const [leaving = ''] = ids.filter((id) => markOf(world, id));
    await world.timeline.pass(900);
    expect(stateOf(world, leaving)).toBe('ReplacingRootVolume:Wait');
    expect(bootOf(world, leaving)).toBe(boots[ids.indexOf(leaving)]);
    let podsAtReboot = -1;
    await world.timeline.until(
      () => {
        if (podsAtReboot === -1 && stateOf(world, leaving) === 'ReplacingRootVolume:Proceed')
          podsAtReboot = podsOn(world, nodeObjectOf(world, leaving)?.metadata?.name ?? '').length;
        return statusOf(world) === 'Successful' && ids.every((id) => !markOf(world, id));
      },
      { withinSeconds: 7200, what: 'the end of the refresh' },
    );
    expect(podsAtReboot).toBe(0);
    expect(ids.map((id) => nodeObjectOf(world, id)?.metadata?.uid)).toEqual(before);
    for (const [index, id] of ids.entries()) {
      const node = nodeObjectOf(world, id);
      expect(bootOf(world, id)).not.toBe(boots[index]);
      expect(node && isNodeReady(node)).toBe(true);
      expect(node?.spec?.unschedulable).toBeUndefined();
      expect(node?.metadata?.labels).not.toHaveProperty('drover.dev/leaving');
    }
    expect(world.problems).toEqual([]);
  });

  it('leaves a cordon of the operator in place', async () => {
    const world = createDroverWorld();
    const [only = ''] = await withWorkers(world, { size: 1 });
    const { registry } = world.kubernetes;
    const node = nodeObjectOf(world, only);
    if (!node) throw new Error('there is no node');
    registry.update('nodes', node, (found) => ({ ...found, spec: { ...found.spec, unschedulable: true } }));
    refresh(world);
    await untilSaid(world, only, /is uncordoned/);
    expect(markOf(world, only)).toBeUndefined();
    expect(nodeObjectOf(world, only)?.spec?.unschedulable).toBe(true);
  });

  it('needs no event: the sweep finds the wait', async () => {
    const world = createDroverWorld({
      editWiring: (wiring) => ({
        ...wiring,
        rules: wiring.rules.filter(({ rule }) => rule.ScheduleExpression !== undefined),
      }),
    });
    const [only = ''] = await withWorkers(world, { size: 1 });
    const boot = bootOf(world, only);
    refresh(world);
    await untilSaid(world, only, /is uncordoned/, 1800);
    expect(bootOf(world, only)).not.toBe(boot);
    expect(nodeObjectOf(world, only)?.spec?.unschedulable).toBeUndefined();
  });

  it('is followed by an uncordon even if the message of the drain is lost', async () => {
    const world = createDroverWorld();
    const [only = ''] = await withWorkers(world, { size: 1 });
    refresh(world);
    await world.timeline.until(() => stateOf(world, only) === 'RootVolumeReplaced', {
      withinSeconds: 300,
      what: 'the new root volume',
    });
    const { QueueUrls = [] } = world.account.sqs.operations.ListQueues({});
    for (const QueueUrl of QueueUrls) world.account.sqs.operations.PurgeQueue({ QueueUrl });
    await world.timeline.until(() => markOf(world, only) === undefined, {
      withinSeconds: 1200,
      what: 'the uncordon',
    });
    expect(nodeObjectOf(world, only)?.spec?.unschedulable).toBeUndefined();
  });

  it('terminates nothing, and completes the hook at the first try', async () => {
    const { onCall, count } = countCalls();
    const world = createDroverWorld({ weather: { onCall } });
    const [only = ''] = await withWorkers(world, { size: 1 });
    refresh(world);
    await untilSaid(world, only, /is uncordoned/);
    expect(count('autoscaling TerminateInstanceInAutoScalingGroup')).toBe(0);
    expect(count('autoscaling CompleteLifecycleAction')).toBe(1);
    expect(nodesOf(world)).toHaveLength(1);
  });
});

describe('the root volumes of a control plane', () => {
  it('are replaced one after another, each once the Node before is Ready and uncordoned', async () => {
    const world = createDroverWorld();
    const ids = await withWorkers(world, { size: 3, role: 'control-plane' });
    refresh(world);
    let fewest = 3;
    await world.timeline.until(
      () => {
        const serving = ids.filter((id) => {
          const node = nodeObjectOf(world, id);
          return node && isNodeReady(node) && !markOf(world, id);
        });
        fewest = Math.min(fewest, serving.length);
        return statusOf(world) === 'Successful' && serving.length === 3;
      },
      { withinSeconds: 3600, what: 'all of them replaced' },
    );
    expect(fewest).toBe(2);
    expect(membersOf(world).map(({ InstanceId }) => InstanceId)).toEqual(ids);
  });
});

/** Makes it a follower: the loss of a leader's log stays unnoticed, since the next leader sends the whole log. */
async function follow(world: ReturnType<typeof createEtcdDroverWorld>, instanceId: string): Promise<void> {
  if (!world.etcd.world.running().some((one) => one.instanceId === instanceId && one.leads)) return;
  world.etcd.world.kill(instanceId);
  await world.timeline.pass(10);
  world.etcd.world.start(instanceId);
  await world.timeline.pass(10);
}

describe('the root volume of a member of etcd', () => {
  it('is replaced once the member is removed, and the instance comes back as a new one', async () => {
    const world = createEtcdDroverWorld();
    addEtcdGroup(world, { size: 3 });
    const clusterId = await untilWhole(world, 3);
    const ids = membersOf(world, 'etcd').map(({ InstanceId }) => InstanceId);
    refresh(world, 'etcd');
    let fewest = 3;
    await world.timeline.until(
      () => {
        fewest = Math.min(fewest, [...clustersOf(world).values()][0]?.length ?? 0);
        return statusOf(world, 'etcd') === 'Successful';
      },
      { withinSeconds: 7200, what: 'the end of the refresh' },
    );
    expect(await untilWhole(world, 3)).toBe(clusterId);
    expect(fewest).toBe(2);
    expect(membersOf(world, 'etcd').map(({ InstanceId }) => InstanceId)).toEqual(ids);
    expect(world.problems).toEqual([]);
  });

  it('that is replaced before the member may be removed makes it a new member once a snapshot is fresh', async () => {
    let isSnapshotPossible = true;
    const world = createEtcdDroverWorld({
      snapshotBucket: 'snapshots',
      weather: {
        strike: ({ caller }) =>
          caller === 'etcd-snapshot' && !isSnapshotPossible ? { kind: 'fail-before' } : undefined,
      },
    });
    addEtcdGroup(world, { size: 3 });
    const clusterId = await untilWhole(world, 3);
    isSnapshotPossible = false;
    await world.timeline.pass(4000);
    const ids = inService(world);
    refresh(world, 'etcd');
    await world.timeline.until(() => /is not removed yet: .* snapshot/.test(lastReason(world)), {
      withinSeconds: 300,
      what: 'the removal that waits for a snapshot',
    });
    const [emptied = ''] = ids.filter((id) => stateOf(world, id) === 'ReplacingRootVolume:Wait');
    await follow(world, emptied);
    world.account.autoScaling.operations.CompleteLifecycleAction({
      AutoScalingGroupName: 'etcd',
      LifecycleHookName: etcdHook,
      InstanceId: emptied,
      LifecycleActionResult: 'CONTINUE',
    });
    await world.timeline.until(() => stateOf(world, emptied) === 'Pending:Wait', {
      withinSeconds: 300,
      what: 'the new root volume',
    });
    await world.timeline.pass(300);
    expect(world.etcd.world.view(emptied)).toMatchObject({
      kind: 'exited',
      exit: { message: expect.stringMatching(/^tocommit\(\d+\) is out of range/) },
    });
    isSnapshotPossible = true;
    await world.timeline.until(() => clustersOf(world).get(clusterId)?.includes(emptied) === true, {
      withinSeconds: 3600,
      what: 'its return as a new member',
    });
    expect(world.lines.map(({ reason }) => reason)).toContain(
      `removed ${emptied}: its root volume is new, and its data is gone`,
    );
  });

  it('that is the last one is held, with the reason', async () => {
    const world = createEtcdDroverWorld();
    addEtcdGroup(world, { size: 1 });
    const clusterId = await untilWhole(world, 1);
    const [only = ''] = membersOf(world, 'etcd').map(({ InstanceId }) => InstanceId);
    refresh(world, 'etcd');
    await world.timeline.pass(1800);
    expect(stateOf(world, only)).toBe('ReplacingRootVolume:Wait');
    expect([...clustersOf(world).keys()]).toEqual([clusterId]);
    expect(lastReason(world)).toMatch(/cannot be removed/);
  });
});
