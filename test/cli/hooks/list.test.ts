import { describe, expect, it } from 'vitest';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';

const createWorld = async () => {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  await withWorkers(world, { size: 1, autoScalingGroupName: 'spare', hook: undefined });
  return { world, drover: operatorOf(world) };
};

describe('drover hooks', () => {
  it('lists the managed groups with their hooks, and names what is missing', async () => {
    const { drover } = await createWorld();
    const { code, out } = await drover('hooks');
    expect(code).toBe(0);
    expect(out).toMatch(/^GROUP +ROLE +HOOK +TRANSITION +HEARTBEAT +AT MOST +DEFAULT\n/);
    expect(out).toMatch(/\nworkers +worker +drover-node-leaving +terminating +5m +8h20m +CONTINUE\n/);
    expect(out).toMatch(/\nspare +worker +- +- +- +- +-\n/);
    expect(out).toMatch(
      /\n\nspare: it has no hook drover-node-leaving: its instances terminate undrained\n$/,
    );
  });

  it('shows one group, without problems if it has none', async () => {
    const { drover } = await createWorld();
    const { out } = await drover('hooks workers');
    expect(out.split('\n')).toHaveLength(3);
    expect(out).not.toContain('spare');
  });

  it('prints the same as JSON with --json', async () => {
    const { world, drover } = await createWorld();
    world.account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drover-etcd',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    });
    world.account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drover-node-leaving',
      DefaultResult: 'ABANDON',
    });
    expect(JSON.parse((await drover('hooks workers --json')).out)).toMatchObject([
      {
        autoScalingGroupName: 'workers',
        role: 'worker',
        hooks: [{ lifecycleHookName: 'drover-node-leaving', globalTimeoutSeconds: 30_000 }, {}],
        problems: [expect.stringMatching(/ABANDON of drover-node-leaving would end the wait of drover-etcd/)],
      },
    ]);
  });

  it('asks of a group of etcd the hook of etcd, since its members need not be nodes', async () => {
    const { world, drover } = await createWorld();
    await withWorkers(world, { size: 1, role: 'etcd', autoScalingGroupName: 'etcd', hook: undefined });
    expect((await drover('hooks etcd')).out).toContain('etcd: it has no hook drover-etcd:');
    world.account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: 'etcd',
      LifecycleHookName: 'drover-etcd',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      DefaultResult: 'CONTINUE',
    });
    expect((await drover('hooks etcd')).out).not.toContain('etcd: ');
  });

  it('asks for the cluster name if it is missing', async () => {
    const { world } = await createWorld();
    const drover = operatorOf(world, { environment: { DROVER_CLUSTER: undefined } });
    expect(await drover('hooks')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/DROVER_CLUSTER is not set.*: give --cluster\n$/),
    });
    expect(await drover('hooks --cluster drover')).toMatchObject({ code: 0 });
    expect(await drover('hooks install workers --cluster drover --dry-run')).toMatchObject({ code: 0 });
  });
});
