import { describe, expect, test } from 'vitest';
import { addGroup } from '../../local/cloud/furnish.ts';
import { clusterName, joiningHookName } from '../../local/names.ts';
import { createDroverWorld, type DroverWorld, membersOf, stateOf } from '../support/drover-world.ts';

/** Kubelets that read the credential which Drover publishes, and groups with the launch hook. */
async function startWorld(options: Parameters<typeof createDroverWorld>[0] = {}) {
  const world: DroverWorld = createDroverWorld({
    ...options,
    kubelets: {
      ask: {
        bootstrapParameter: () =>
          world.lambda.functionOf('bootstrap-credential').environment.DROVER_BOOTSTRAP_PARAMETER ?? '',
      },
      ...options.kubelets,
    },
  });
  await world.lambda.invoke('bootstrap-credential', {});
  return world;
}

const launch = (world: DroverWorld, size: number, tags: Readonly<Record<string, string>> = {}): void =>
  addGroup(world, {
    autoScalingGroupName: 'workers',
    clusterName,
    size,
    tags,
    settings: {
      MaxSize: size,
      LifecycleHookSpecificationList: [
        {
          LifecycleHookName: joiningHookName,
          LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
          HeartbeatTimeout: 300,
          DefaultResult: 'ABANDON',
        },
      ],
    },
  });

const inService = (world: DroverWorld): readonly string[] =>
  membersOf(world)
    .filter(({ LifecycleState }) => LifecycleState === 'InService')
    .map(({ InstanceId = '' }) => InstanceId);

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
