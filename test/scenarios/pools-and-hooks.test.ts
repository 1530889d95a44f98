import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { untilGone, untilSaid } from '../support/observed-instance.ts';

async function groupWithPool(): Promise<DroverWorld> {
  const world = createDroverWorld();
  await withWorkers(world, {
    size: 2,
    hook: { name: 'drover-node-leaving', heartbeatTimeoutSeconds: 3600 },
  });
  world.account.autoScaling.operations.PutWarmPool({
    AutoScalingGroupName: 'workers',
    MinSize: 1,
    InstanceReusePolicy: { ReuseOnScaleIn: true },
  });
  await world.timeline.pass(120);
  return world;
}

const scaleIn = (world: DroverWorld) =>
  world.account.autoScaling.operations.SetDesiredCapacity({
    AutoScalingGroupName: 'workers',
    DesiredCapacity: 1,
  });

async function theReturn(world: DroverWorld) {
  const returned = () => world.lines.find(({ reason }) => /returns to the warm pool/.test(String(reason)));
  await world.timeline.until(() => returned() !== undefined, { withinSeconds: 600, what: 'the return' });
  return returned();
}

const putLaunchHook = (world: DroverWorld) =>
  world.account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: 'warm-up',
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
    HeartbeatTimeout: 3600,
    DefaultResult: 'CONTINUE',
  });

describe('a group with warm instances', () => {
  it('drains a node whose instance returns to the pool, and does not report a termination', async () => {
    const world = await groupWithPool();
    scaleIn(world);
    const returned = await theReturn(world);
    expect(returned).toMatchObject({ outcome: 'done', facts: { toWarmPool: true } });
    const facts = returned?.facts as { node?: string } | undefined;
    expect(nodesOf(world)).not.toContain(facts?.node);
  });

  it('drains a node whose instance returns to the pool even if the event was lost', async () => {
    const world = await groupWithPool();
    world.account.events.disturb({ lost: 1 });
    scaleIn(world);
    await world.timeline.pass(5);
    world.account.events.disturb({});
    expect(await theReturn(world)).toMatchObject({ outcome: 'done', facts: { toWarmPool: true } });
  });
});

describe('a warm pool beside a launching hook', () => {
  it('drains a node whose instance returns to the pool even if the event was lost', async () => {
    const world = await groupWithPool();
    putLaunchHook(world);
    world.account.events.disturb({ lost: 1 });
    scaleIn(world);
    await world.timeline.pass(5);
    world.account.events.disturb({});
    expect(await theReturn(world)).toMatchObject({ outcome: 'done', facts: { toWarmPool: true } });
  });
});

describe('two hooks on one group', () => {
  it('are completed separately: the drain completes Drover’s hook and leaves the other waiting', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    world.account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'backup-of-another-tool',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      HeartbeatTimeout: 600,
      DefaultResult: 'CONTINUE',
    });
    terminate(world, leaving, { replace: false });
    await untilSaid(world, leaving, /its hook is completed/, 60);
    await world.timeline.pass(300);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    await untilGone(world, leaving, 600);
  });
});
