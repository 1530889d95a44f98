import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  membersOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { heldDeployment, run } from '../../local/world/workloads.ts';
import { markOf, nodeObjectOf, passesOf, untilGone, untilSaid } from '../support/observed-instance.ts';

const oneAtATime = { 'drover.dev/max-leaving': '1', 'drover.dev/drain-timeout': '300' };
const putHook = ({ account }: DroverWorld, LifecycleHookName: string, HeartbeatTimeout: number): void => {
  account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    HeartbeatTimeout,
  });
};

describe('an instance that waited long for its turn', () => {
  it('has the whole drain timeout from the moment when its Node is marked', async () => {
    const world = createDroverWorld();
    const ids = await withWorkers(world, { size: 2, tags: oneAtATime });
    await run(world, ...heldDeployment({ name: 'held', replicas: 6, graceSeconds: 5 }));
    for (const id of ids) terminate(world, id, { replace: true });
    await world.timeline.until(() => ids.some((id) => stateOf(world, id) === undefined), {
      withinSeconds: 900,
      what: 'the end of the first',
    });
    const next = ids.find((id) => stateOf(world, id) !== undefined) ?? '';
    await world.timeline.until(() => markOf(world, next) !== undefined, {
      withinSeconds: 60,
      what: 'the turn of the second',
    });
    const { since = '', until = '' } = markOf(world, next) ?? {};
    expect(Date.parse(until) - Date.parse(since)).toBe(300_000);
    expect(world.clock.now() - Date.parse(since)).toBeLessThan(10_000);
    expect(await untilGone(world, next)).toBeGreaterThan(250);
  });
});

describe('an instance that is drained', () => {
  it('occupies no slot while another hook holds it', async () => {
    const world = createDroverWorld();
    const ids = await withWorkers(world, { size: 3, tags: oneAtATime });
    putHook(world, 'backup', 3600);
    for (const id of ids) terminate(world, id, { replace: false });
    await world.timeline.until(() => ids.every((id) => nodeObjectOf(world, id) === undefined), {
      withinSeconds: 300,
      what: 'the end of all Nodes',
    });
    expect(ids.map((id) => stateOf(world, id))).toEqual(ids.map(() => 'Terminating:Wait'));
  });

  it('completes its hook without another turn when the completion was throttled', async () => {
    let throttles = false;
    const strike = ({ what }: CallInFlight): Strike | undefined =>
      throttles && what === 'autoscaling CompleteLifecycleAction'
        ? {
            kind: 'aws-error',
            error: new AwsError({ code: 'Throttling', message: 'Rate exceeded', statusCode: 400 }),
          }
        : undefined;
    const world = createDroverWorld({ weather: { strike } });
    const ids = (await withWorkers(world, { size: 2, tags: oneAtATime })).toSorted();
    const [stuck = '', drained = ''] = ids;
    throttles = true;
    terminate(world, drained, { replace: false });
    await world.timeline.until(() => nodeObjectOf(world, drained) === undefined, {
      withinSeconds: 120,
      what: 'the end of its Node',
    });
    await run(world, ...heldDeployment({ name: 'held', replicas: 2, graceSeconds: 5 }));
    terminate(world, stuck, { replace: false });
    await untilSaid(world, stuck, /waits for 2 pods/);
    throttles = false;
    await untilGone(world, drained, 120);
    expect(passesOf(world, drained).map(({ reason }) => String(reason))).not.toContainEqual(
      expect.stringMatching(/concurrency limit/),
    );
  });
});

it('instances that leave on advice take turns although the watch cache of the API server is minutes behind', async () => {
  const world = createDroverWorld({
    weather: { staleSeconds: ({ to }) => (to === 'kubernetes' ? 300 : 0) },
  });
  const ids = await withWorkers(world, { size: 4, tags: oneAtATime });
  await run(world, ...heldDeployment({ name: 'held', replicas: 8, graceSeconds: 5 }));
  world.account.ec2.accidents.healthEvent({ entities: ids });
  let most = 0;
  await world.timeline.until(
    () => {
      most = Math.max(most, ids.filter((id) => markOf(world, id) !== undefined).length);
      return ids.every((id) => stateOf(world, id) === undefined);
    },
    { withinSeconds: 3600, what: 'all of them replaced' },
  );
  expect(most).toBe(1);
});

describe('the instances of a control plane', () => {
  const serving = (world: DroverWorld) =>
    membersOf(world).filter(({ LifecycleState }) => LifecycleState === 'InService').length;
  const controlPlane = { size: 3, role: 'control-plane' } as const;

  it('leave one after another when one Health event names all of them, each once the replacement serves', async () => {
    const world = createDroverWorld();
    const ids = await withWorkers(world, controlPlane);
    world.account.ec2.accidents.healthEvent({ entities: ids });
    let fewest = 3;
    await world.timeline.until(
      () => {
        fewest = Math.min(fewest, serving(world));
        return ids.every((id) => stateOf(world, id) === undefined);
      },
      { withinSeconds: 3600, what: 'all of them replaced' },
    );
    expect(fewest).toBe(2);
    const said = ids.flatMap((id) => passesOf(world, id).map(({ reason }) => String(reason)));
    // Which of the two reasons is given depends on whose pass comes first.
    expect(said).toContainEqual(
      expect.stringMatching(/waits for replacements: 1 more of its 3 instances|its own turn comes later/),
    );
  });

  it('do not wait for replacements that the desired capacity does not ask for', async () => {
    const world = createDroverWorld();
    const [first = '', second = ''] = await withWorkers(world, controlPlane);
    for (const id of [first, second]) terminate(world, id, { replace: false });
    await untilGone(world, first, 300);
    await untilGone(world, second, 300);
    expect(serving(world)).toBe(1);
  });
});

describe('a hook whose heartbeat timeout is raised', () => {
  it('still holds the instances that wait already', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, {
      size: 1,
      hook: { name: hookName, heartbeatTimeoutSeconds: 60 },
      tags: { 'drover.dev/drain-timeout': '1h' },
    });
    await run(world, ...heldDeployment({ name: 'held', replicas: 2, graceSeconds: 5 }));
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(120);
    putHook(world, hookName, 3600);
    await world.timeline.pass(1500);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(markOf(world, leaving)).toMatchObject({ heartbeatTimeoutSeconds: 60 });
  });
});
