import { describe, expect, test } from 'vitest';
import { membersOf, stateOf } from '../support/drover-world.ts';
import {
  inService,
  launchWorkers as launch,
  startJoiningWorld as startWorld,
} from '../support/joining-world.ts';

describe('a launched instance', () => {
  test('is in service seconds after its kubelet has joined, with its own certificate requests decided at once', async () => {
    const world = await startWorld();
    launch(world, 3);
    await world.timeline.until(() => inService(world).length === 3, {
      withinSeconds: 60,
      what: 'three instances in service',
    });
    expect(world.problems).toEqual([]);
  });

  test('is not in service before its Node is Ready', async () => {
    const world = await startWorld({ kubelets: { configure: () => ({ readyDelaySeconds: 400 }) } });
    launch(world, 1);
    await world.timeline.pass(390);
    const [instance] = membersOf(world);
    expect(instance?.LifecycleState).toBe('Pending:Wait');
    await world.timeline.until(() => inService(world).length === 1, {
      withinSeconds: 60,
      what: 'the instance in service',
    });
  });

  test('that never joins is held past its deadline, and said to be overdue', async () => {
    const world = await startWorld({ kubelets: { configure: () => undefined } });
    launch(world, 1);
    await world.timeline.pass(1200);
    const [{ InstanceId = '' } = {}] = membersOf(world);
    expect(stateOf(world, InstanceId)).toBe('Pending:Wait');
    const said = world.lines.filter(({ work }) => work === 'node-joining').at(-1);
    expect(said).toMatchObject({
      outcome: 'again',
      reason: expect.stringMatching(
        /no node yet; no certificate request of it is pending; it should have joined/,
      ),
    });
  });
});

test('a launch whose event was lost is found by the sweep', async () => {
  const world = await startWorld({
    editWiring: (wiring) => ({
      ...wiring,
      rules: wiring.rules.filter(({ rule }) => !rule.Name.endsWith('lifecycle-action')),
    }),
  });
  launch(world, 2);
  await world.timeline.until(() => inService(world).length === 2, {
    withinSeconds: 400,
    what: 'both instances in service',
  });
  expect(world.problems).toEqual([]);
});

describe('while the API server hangs', () => {
  test.each([30, 120, 300])('no launch with a heartbeat timeout of %i s is lost', async (heartbeat) => {
    let isDown = false;
    const world = await startWorld({
      weather: { strike: ({ to }) => (isDown && to === 'kubernetes' ? { kind: 'hang-before' } : undefined) },
    });
    isDown = true;
    launch(world, 3, { heartbeatTimeoutSeconds: heartbeat });
    const first = new Set<string | undefined>();
    await world.timeline.pass(30);
    for (const { InstanceId } of membersOf(world)) first.add(InstanceId);
    await world.timeline.pass(900);
    isDown = false;
    await world.timeline.until(() => inService(world).length === 3, {
      withinSeconds: 200,
      what: 'three in service',
    });
    expect(new Set(inService(world))).toEqual(first);
  });
});

test('Auto Scaling that describes what was seconds ago delays a launch, and completes none early', async () => {
  const world = await startWorld({
    weather: { staleSeconds: ({ what }) => (what.includes(' Describe') ? 20 : 0) },
  });
  launch(world, 2, { settings: { DesiredCapacity: 0 } });
  await world.timeline.pass(60);
  world.account.autoScaling.operations.SetDesiredCapacity({
    AutoScalingGroupName: 'workers',
    DesiredCapacity: 2,
  });
  await world.timeline.until(() => inService(world).length === 2, {
    withinSeconds: 120,
    what: 'two in service',
  });
  expect(world.problems).toEqual([]);
});
