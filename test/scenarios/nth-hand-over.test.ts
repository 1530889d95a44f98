import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, podsOn, run } from '../../local/world/workloads.ts';
import { nodeNameOf, untilGone } from '../support/observed-instance.ts';

const handlersHook = 'node-termination-handler';

function putDroversHook({ account }: DroverWorld): void {
  account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: hookName,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    HeartbeatTimeout: 300,
    DefaultResult: 'CONTINUE',
  });
}

const deleteHandlersHook = ({ account }: DroverWorld): void =>
  void account.autoScaling.operations.DeleteLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: handlersHook,
  });

async function groupOfHandler() {
  const world = createDroverWorld();
  const hook = { name: handlersHook, heartbeatTimeoutSeconds: 3600 };
  const [leaving = ''] = await withWorkers(world, { size: 2, hook });
  await run(world, deployment({ name: 'web', replicas: 4, graceSeconds: 60, stopsAfterSeconds: 30 }));
  const node = nodeNameOf(world, leaving);
  const serving = () =>
    podsOn(world, node).filter(
      ({ metadata, status }) => !metadata?.deletionTimestamp && status?.phase === 'Running',
    );
  expect(serving().length).toBeGreaterThan(0);
  return { world, leaving, serving };
}

/** The facts of docs/migrate-nth.md; test/cli/migrate/nth.real.test.ts has the whole hand-over, with the real program. */
describe('a group that leaves AWS Node Termination Handler', () => {
  it('loses the pods of an instance that waits only on its hook, if that hook is deleted', async () => {
    const { world, leaving, serving } = await groupOfHandler();
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(10);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    putDroversHook(world);
    deleteHandlersHook(world);
    await world.timeline.until(() => stateOf(world, leaving) !== 'Terminating:Wait', {
      withinSeconds: 10,
      what: 'the end of the wait',
    });
    expect(serving().length).toBeGreaterThan(0);
  });

  it('keeps an instance until its node is empty that began to leave when it had both hooks', async () => {
    const { world, leaving, serving } = await groupOfHandler();
    putDroversHook(world);
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(5);
    deleteHandlersHook(world);
    await world.timeline.pass(10);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    await untilGone(world, leaving, 300);
    expect(serving()).toEqual([]);
  });
});
