import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { hookName } from '../../local/names.ts';
import { type DroverWorld, membersOf, stateOf } from '../../local/world/drover-world.ts';
import { boundsOf, putHold } from '../../local/world/holds.ts';
import { deployment, podsOn, run } from '../../local/world/workloads.ts';
import { inService, launchWorkers, startJoiningWorld } from '../support/joining-world.ts';
import { nodeNameOf, nodeObjectOf, untilGone } from '../support/observed-instance.ts';
import { listenForPeople } from '../support/people.ts';

const tags = { 'drover.dev/repair': 'NotReady=10m' };
const launchFirst = { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 };

interface Plan {
  readonly size: number;
  /** Of the group, or the setting of the account. */
  readonly by?: 'policy' | 'account';
}

/** Workers with both hooks and repair, whose group launches a replacement before it terminates. */
async function withRepair({ size, by = 'policy' }: Plan) {
  const sent: number[] = [];
  const strike = (call: CallInFlight): Strike | undefined => {
    if (call.what === 'autoscaling SetInstanceHealth') sent.push(world.clock.now());
    return undefined;
  };
  const world: DroverWorld = await startJoiningWorld({ weather: { strike } });
  const { operations } = world.account.autoScaling;
  if (by === 'account') operations.PutAccountSetting({ Name: 'launchBeforeTerminate', Value: 'enabled' });
  const settings = by === 'policy' ? { InstanceMaintenancePolicy: launchFirst } : {};
  launchWorkers(world, size, { tags, settings });
  operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: hookName,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    HeartbeatTimeout: 300,
    DefaultResult: 'CONTINUE',
  });
  await world.timeline.until(() => inService(world).length === size, {
    withinSeconds: 900,
    what: 'the group in service',
  });
  await run(world, deployment({ name: 'web', replicas: size * 2 }));
  return { world, ids: inService(world), sent, received: listenForPeople(world) };
}

const die = (world: DroverWorld, ids: readonly string[]): void => {
  for (const id of ids) world.kubelets.get(id)?.stop();
};

const setCapacity = ({ account }: DroverWorld, available: boolean): void => {
  for (const { availabilityZone } of account.ec2.instances.subnets())
    account.ec2.accidents.setCapacity({ instanceType: 'm5.large', availabilityZone, available });
};

describe('a dead node of a group that launches before it terminates', () => {
  // aws-node-termination-handler#292: without a launch hook, an instance was terminated before the new node was Ready.
  it.each(['policy', 'account'] as const)(
    'begins to leave once its replacement has joined, above MaxSize (by %s)',
    async (by) => {
      const { world, ids, sent, received } = await withRepair({ size: 3, by });
      const [dead = ''] = ids;
      const node = nodeNameOf(world, dead);
      die(world, [dead]);
      let most = 0;
      await world.timeline.until(
        () => {
          most = Math.max(most, membersOf(world).length);
          expect(inService(world).length).toBeGreaterThanOrEqual(3);
          return stateOf(world, dead)?.startsWith('Terminating') === true;
        },
        { withinSeconds: 3600, what: 'its leave' },
      );
      expect(most).toBe(4);
      for (const id of inService(world)) expect(nodeObjectOf(world, id)).toBeDefined();
      await untilGone(world, dead, 1800);
      await world.timeline.pass(600);
      expect(inService(world)).toHaveLength(3);
      expect(podsOn(world, node)).toEqual([]);
      expect(boundsOf(world)).toEqual({ minSize: 0, maxSize: 3, desiredCapacity: 3 });
      expect(sent).toHaveLength(1);
      expect(received().map(({ detail }) => detail.kind)).toEqual(['node-leaving', 'node-gone']);
      expect(world.problems).toEqual([]);
    },
  );

  it('stays while EC2 has no instance for its replacement, and is not set to Unhealthy again', async () => {
    const { world, ids, sent } = await withRepair({ size: 3 });
    const [dead = ''] = ids;
    setCapacity(world, false);
    die(world, [dead]);
    await world.timeline.pass(5400);
    expect(stateOf(world, dead)).toBe('InService');
    expect(sent).toHaveLength(1);
    setCapacity(world, true);
    await untilGone(world, dead, 3600);
    await world.timeline.pass(300);
    expect(inService(world)).toHaveLength(3);
    expect(sent).toHaveLength(1);
  });
});

it('two dead nodes of six are replaced one after the other, and none is missing meanwhile', async () => {
  const { world, ids, sent } = await withRepair({ size: 6 });
  const dead = ids.slice(0, 2);
  die(world, dead);
  await world.timeline.until(
    () => {
      expect(inService(world).length).toBeGreaterThanOrEqual(6);
      return dead.every((id) => stateOf(world, id) === undefined);
    },
    { withinSeconds: 4 * 3600, what: 'both replaced' },
  );
  expect(sent).toHaveLength(2);
});

it('a hold keeps its number while a dead node is replaced above MaxSize, and reports nothing', async () => {
  const { world, ids, received } = await withRepair({ size: 3 });
  putHold(world, { nodes: 3, minutes: 100 });
  await world.timeline.pass(120);
  expect(boundsOf(world)).toEqual({ minSize: 3, maxSize: 3, desiredCapacity: 3 });
  die(world, ids.slice(0, 1));
  await untilGone(world, ids[0] ?? '', 3600);
  await world.timeline.pass(300);
  expect(boundsOf(world)).toEqual({ minSize: 3, maxSize: 3, desiredCapacity: 3 });
  expect(received().filter(({ detail }) => detail.kind === 'hold-unmet')).toEqual([]);
});
