import { describe, expect, it } from 'vitest';
import { createDroverWorld, hookName, terminate, withWorkers } from '../../local/world/drover-world.ts';
import { budget, create, deployment } from '../../local/world/workloads.ts';

describe('the waits for hooks', () => {
  it('are empty while nothing waits', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    expect(world.account.autoScaling.controls.waits()).toEqual([]);
  });

  it('have the end of each wait, which a heartbeat extends, and the global timeout', async () => {
    const world = createDroverWorld();
    await create(world, deployment({ name: 'web', replicas: 1 }), budget('web', { minAvailable: 1 }));
    const [instanceId = ''] = await withWorkers(world, { size: 1 });
    terminate(world, instanceId);
    await world.timeline.pass(2);
    const [wait] = world.account.autoScaling.controls.waits();
    expect(wait).toMatchObject({ instanceId, lifecycleHookName: hookName, heartbeatTimeoutSeconds: 300 });
    await world.timeline.pass(60);
    world.account.autoScaling.operations.RecordLifecycleActionHeartbeat({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: hookName,
      InstanceId: instanceId,
    });
    const [later] = world.account.autoScaling.controls.waits();
    expect(later?.expiresAt).toBe(world.clock.now() + 300_000);
    expect(later?.globalDeadline).toBe(wait?.globalDeadline);
  });
});
