import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { create, heldDeployment, podsNamed } from '../../local/world/workloads.ts';
import { warn } from '../support/forged-warning.ts';
import { markOf, untilSaid } from '../support/observed-instance.ts';

/** EC2 interrupts these instances, one every so many seconds. Returns how long each took from its warning to its mark or its end. */
async function secondsToCordon(
  world: DroverWorld,
  ids: readonly string[],
  every: number,
): Promise<readonly number[]> {
  const warnedAt = new Map<string, number>();
  const tookSeconds = new Map<string, number>();
  for (let second = 0; second < ids.length * every + 60; second += 1) {
    for (const [index, id] of ids.entries())
      if (second === index * every) {
        world.account.ec2.accidents.interruptSpot(id);
        warnedAt.set(id, second);
      }
    await world.timeline.pass(1);
    for (const [id, since] of warnedAt)
      if (!tookSeconds.has(id) && (stateOf(world, id) !== 'InService' || markOf(world, id)))
        tookSeconds.set(id, second + 1 - since);
  }
  return ids.map((id) => tookSeconds.get(id) ?? Infinity);
}

describe('a warning', () => {
  it('of Spot about an instance that is not a Spot Instance changes nothing, and the reason is logged', async () => {
    const world = createDroverWorld();
    const [staying = ''] = await withWorkers(world, { size: 1 });
    warn(world, staying);
    await untilSaid(world, staying, /EC2 does not report it as a Spot Instance/, 60);
    await world.timeline.pass(180);
    expect(stateOf(world, staying)).toBe('InService');
    expect(markOf(world, staying)).toBeUndefined();
  });

  it.each([
    ['EC2 Spot Instance Interruption Warning', { reserved: 'capacity-block' }],
    ['EC2 Capacity Reservation Instance Interruption Warning', {}],
    ['EC2 Capacity Reservation Instance Interruption Warning', { spot: true }],
  ] as const)('(%s) that EC2 does not send about %j changes nothing', async (detailType, plan) => {
    const world = createDroverWorld();
    const [staying = ''] = await withWorkers(world, { size: 1, ...plan });
    warn(world, staying, { 'detail-type': detailType });
    await untilSaid(world, staying, /a (?:spot )?warning about .*because EC2/, 60);
    await world.timeline.pass(300);
    expect(stateOf(world, staying)).toBe('InService');
    expect(markOf(world, staying)).toBeUndefined();
  });

  it.each([
    ['another account', { account: '210987654321' }],
    ['another region', { region: 'us-east-1' }],
    ['a time to come', { time: '2099-01-01T00:00:00Z' }],
    ['a week ago', { time: '1999-12-25T00:00:00Z' }],
  ])('from %s changes nothing for a Spot Instance', async (_, over) => {
    const world = createDroverWorld();
    const [staying = ''] = await withWorkers(world, { size: 1, spot: true, hook: undefined });
    warn(world, staying, over);
    await world.timeline.pass(180);
    expect(stateOf(world, staying)).toBe('InService');
    expect(markOf(world, staying)).toBeUndefined();
  });

  it.each([
    ['one a second', 30, 1],
    ['all at once', 50, 0],
  ])('that is real is not delayed by the limit: %s, %i cordoned within seconds', async (_, size, every) => {
    const world = createDroverWorld();
    const hook = { name: hookName, heartbeatTimeoutSeconds: 300 };
    const ids = await withWorkers(world, { size, hook, spot: true });
    await world.timeline.pass(120);
    const slow = await secondsToCordon(world, ids, every);
    expect(Math.max(...slow)).toBeLessThanOrEqual(10);
  });

  it('waits and raises an alarm if too many instances leave in a hurry within a minute, and is accepted later', async () => {
    const world = createDroverWorld({
      editWiring: (wiring) => ({
        ...wiring,
        functions: wiring.functions.map((one) => ({
          ...one,
          environment: { ...one.environment, DROVER_MAX_HURRIED_PER_MINUTE: '5' },
        })),
      }),
    });
    const ids = await withWorkers(world, { size: 12, spot: true, hook: undefined });
    for (const instanceId of ids) warn(world, instanceId);
    await world.timeline.pass(30);
    const marked = () => ids.filter((id) => stateOf(world, id) !== 'InService' || markOf(world, id)).length;
    expect(marked()).toBeGreaterThan(0);
    expect(marked()).toBeLessThanOrEqual(2 * 5);
    expect(world.lines).toContainEqual(expect.objectContaining({ message: 'warnings wait' }));
    await world.timeline.pass(300);
    expect(marked()).toBe(12);
  });
});

describe('a terminate action without a token and with an old time', () => {
  it('takes nothing of the drain of an instance that really leaves and whose own event was lost', async () => {
    const world = createDroverWorld();
    const ids = await withWorkers(world, { size: 2 });
    await create(world, ...heldDeployment({ name: 'web', replicas: 4 }));
    await world.timeline.pass(20);
    const [leaving = ''] = ids;
    world.account.events.disturb({ lost: 1 });
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(30);
    world.account.events.disturb({ lost: 0 });
    const podsBefore = podsNamed(world, 'web').length;
    warn(world, leaving, {
      source: 'aws.autoscaling',
      'detail-type': 'EC2 Instance-terminate Lifecycle Action',
      time: new Date(world.clock.now() - 10 * 86_400_000).toISOString(),
      detail: {
        AutoScalingGroupName: 'workers',
        LifecycleHookName: hookName,
        EC2InstanceId: leaving,
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      },
    });
    await untilSaid(world, leaving, /held: default\/web/, 120);
    const mark = markOf(world, leaving);
    expect(Date.parse(mark?.until ?? '') - world.clock.now()).toBeGreaterThan(600_000);
    await world.timeline.pass(240);
    expect(podsNamed(world, 'web')).toHaveLength(podsBefore);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
  });
});
