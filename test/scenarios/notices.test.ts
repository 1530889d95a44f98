import { describe, expect, it } from 'vitest';
import { createDroverWorld, stateOf, terminate, withWorkers } from '../../local/world/drover-world.ts';
import { heldDeployment, run } from '../../local/world/workloads.ts';
import { markOf, passesOf, untilGone, untilSaid } from '../support/observed-instance.ts';

const spotGroup = { size: 2, spot: true, hook: undefined } as const;

describe('a spot interruption of an instance without a hook', () => {
  it('that arrives while a long drain waits shortens it', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, { size: 1, spot: true });
    await run(world, ...heldDeployment({ name: 'held', replicas: 2, graceSeconds: 30 }));
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(300);
    const before = Date.parse(markOf(world, leaving)?.until ?? '');
    world.account.ec2.accidents.interruptSpot(leaving);
    await world.timeline.pass(25);
    const after = Date.parse(markOf(world, leaving)?.until ?? '');
    expect(before - after).toBeGreaterThan(600_000);
    await untilGone(world, leaving, 120);
  });
});

// NTH #321.
describe('a rebalance recommendation', () => {
  it('is ignored unless the group’s tag turns it on', async () => {
    const world = createDroverWorld();
    const [advised = ''] = await withWorkers(world, spotGroup);
    world.account.ec2.accidents.recommendRebalance(advised);
    await world.timeline.pass(120);
    expect(stateOf(world, advised)).toBe('InService');
  });

  it('makes a node leave if the group’s tag turns it on', async () => {
    const world = createDroverWorld();
    const [advised = ''] = await withWorkers(world, {
      ...spotGroup,
      tags: { 'drover.dev/drain-on-rebalance': 'true' },
    });
    world.account.ec2.accidents.recommendRebalance(advised);
    await untilSaid(world, advised, /handed back/, 300);
  });
});

describe('a capacity reservation that ends', () => {
  it.each(['capacity-block', 'interruptible-capacity-reservation'] as const)(
    'makes its instances leave before it ends (%s)',
    async (reserved) => {
      const world = createDroverWorld();
      const [taken = ''] = await withWorkers(world, { size: 1, reserved });
      world.account.ec2.accidents.interruptCapacityReservation({ instanceId: taken });
      await untilSaid(world, taken, /handed back/, 300);
    },
  );
});

describe('a terminate action that was delivered late or twice', () => {
  it('does nothing to an instance that is in service again', async () => {
    const world = createDroverWorld();
    const [staying = ''] = await withWorkers(world, { size: 1 });
    for (const LifecycleActionToken of ['a-1', 'a-2'])
      world.account.events.putAwsEvent({
        source: 'aws.autoscaling',
        detailType: 'EC2 Instance-terminate Lifecycle Action',
        resources: [],
        detail: {
          LifecycleActionToken,
          AutoScalingGroupName: 'workers',
          LifecycleHookName: 'drover-node-leaving',
          EC2InstanceId: staying,
          LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
        },
      });
    await untilSaid(world, staying, /it is InService/, 90);
    expect(passesOf(world, staying).at(-1)).toMatchObject({ outcome: 'done' });
    expect(stateOf(world, staying)).toBe('InService');
    expect(markOf(world, staying)).toBeUndefined();
  });
});
