import { describe, expect, it } from 'vitest';
import { functionsFromSource } from '../../local/cloud/functions.ts';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  membersOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { createEtcdDroverWorld } from '../../local/world/etcd/etcd-world.ts';
import { inService as membersInService, untilWhole } from '../../local/world/etcd/expectations.ts';
import { putHold } from '../../local/world/holds.ts';
import { create, heldDeployment } from '../../local/world/workloads.ts';
import { inService, launchWorkers, startJoiningWorld } from '../support/joining-world.ts';
import { untilGone } from '../support/observed-instance.ts';
import { deployable, hasReleasedCommit, releasedFunctions } from '../support/released-functions.ts';

/** The functions of 0.1.0, then those of this source, and how to deploy them. */
const releasedFirst = async () =>
  deployable({ released: await releasedFunctions(), now: functionsFromSource });

/** Seconds from the beginning to the upgrade, and from there to the rollback. */
const moments: readonly (readonly [upgradeSeconds: number, rollbackSeconds: number])[] = [
  [5, 45],
  [70, 200],
  [200, 25],
];

async function upgradeAndRollBack(
  { timeline }: DroverWorld,
  deploy: (version: string) => void,
  [upgradeSeconds, rollbackSeconds]: (typeof moments)[number],
): Promise<void> {
  await timeline.pass(upgradeSeconds);
  deploy('now');
  await timeline.pass(rollbackSeconds);
  deploy('released');
  await timeline.pass(20);
}

/** No function failed, and no message was given up. */
async function expectNothingLost({ account, lines, problems }: DroverWorld): Promise<void> {
  expect(problems).toEqual([]);
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  const deadLetterQueues = account.sqs.controls
    .queueNames()
    .filter((name) => /DeadLetter|Undelivered/.test(name));
  expect(deadLetterQueues.length).toBeGreaterThan(3);
  for (const name of deadLetterQueues) {
    const QueueUrl = account.sqs.controls.queueUrl(name);
    const { Messages = [] } = await account.sqs.operations.ReceiveMessage({ QueueUrl });
    expect(Messages, name).toEqual([]);
  }
}

describe.skipIf(!hasReleasedCommit())(
  'an upgrade from 0.1.0 and a rollback, with messages in flight,',
  () => {
    it.each(moments)(
      'keep a drain that a budget holds (upgrade after %i s, rollback %i s later)',
      async (...at) => {
        const { functions, deploy, deployed, ran } = await releasedFirst();
        const senders = new Set<string>();
        const world = createDroverWorld({
          functions,
          weather: {
            onCall: ({ caller, what }) => {
              if (what.endsWith('RecordLifecycleActionHeartbeat')) senders.add(`${deployed()} ${caller}`);
            },
          },
        });
        const tags = { 'drover.dev/drain-timeout': '15m' };
        // The drain lasts for ten heartbeat timeouts, so that each version must send heartbeats.
        const hook = { name: hookName, heartbeatTimeoutSeconds: 90 };
        const [first = ''] = await withWorkers(world, { size: 2, tags, hook });
        await create(world, ...heldDeployment({ name: 'web', replicas: 6 }));
        await world.timeline.pass(60);
        terminate(world, first, { replace: false });
        const start = world.clock.now();
        await upgradeAndRollBack(world, deploy, at);
        // The first heartbeat message is still in the queue, which a rollback retains, when the second upgrade is deployed.
        await world.timeline.pass(240);
        deploy('now');
        await untilGone(world, first, 1200);
        const seconds = (world.clock.now() - start) / 1000;
        expect(seconds).toBeGreaterThan(900);
        expect(seconds).toBeLessThan(1000);
        expect(ran()).toEqual(['released', 'now']);
        expect([...senders].toSorted()).toEqual(['now heartbeats', 'released node-leaving']);
        await expectNothingLost(world);
      },
    );

    it.each(moments)(
      'keep a launch that waits for its Node (upgrade after %i s, rollback %i s later)',
      async (...at) => {
        const { functions, deploy, ran } = await releasedFirst();
        const world = await startJoiningWorld({
          functions,
          kubelets: { configure: () => ({ readyDelaySeconds: 600 }) },
        });
        launchWorkers(world, 1, { heartbeatTimeoutSeconds: 120 });
        await world.timeline.pass(30);
        const launched = membersOf(world).map(({ InstanceId }) => InstanceId);
        await upgradeAndRollBack(world, deploy, at);
        await world.timeline.until(() => inService(world).length === 1, {
          withinSeconds: 900,
          what: 'the instance in service',
        });
        expect(inService(world)).toEqual(launched);
        expect(ran()).toEqual(['released', 'now']);
        await expectNothingLost(world);
      },
    );

    it.each(moments)(
      'keep a hold, and end it in time (upgrade after %i s, rollback %i s later)',
      async (...at) => {
        const { functions, deploy, ran } = await releasedFirst();
        const world = createDroverWorld({ functions });
        await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
        putHold(world, { nodes: 3, minutes: 15 });
        await upgradeAndRollBack(world, deploy, at);
        await world.timeline.pass(300);
        const minSize = () =>
          world.account.autoScaling.operations.DescribeAutoScalingGroups({
            AutoScalingGroupNames: ['workers'],
          }).AutoScalingGroups[0]?.MinSize;
        expect(minSize()).toBe(3);
        expect(inService(world)).toHaveLength(3);
        await world.timeline.until(() => minSize() === 1, { withinSeconds: 1200, what: 'the base again' });
        expect(ran()).toEqual(['released', 'now']);
        await expectNothingLost(world);
      },
    );

    it.each(moments)(
      'keep the replacement of a member of etcd (upgrade after %i s, rollback %i s later)',
      async (...at) => {
        const { functions, deploy, ran } = await releasedFirst();
        const world = createEtcdDroverWorld({ functions });
        addEtcdGroup(world, { size: 3 });
        const clusterId = await untilWhole(world, 3);
        const [first = ''] = membersInService(world);
        terminate(world, first);
        await upgradeAndRollBack(world, deploy, at);
        expect(await untilWhole(world, 3)).toBe(clusterId);
        expect(membersInService(world)).not.toContain(first);
        expect(ran()).toEqual(['released', 'now']);
        await expectNothingLost(world);
      },
    );
  },
);
