import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { heldDeployment, run } from '../../../local/world/workloads.ts';
import { operatorOf } from '../operator.ts';

let world: DroverWorld;

beforeEach(() => {
  world = createDroverWorld();
});

const hooksOn = ({ account }: DroverWorld) =>
  account.autoScaling.operations.DescribeLifecycleHooks({ AutoScalingGroupName: 'workers' }).LifecycleHooks;

const putHook = (name: string, transition: 'LAUNCHING' | 'TERMINATING', DefaultResult = 'CONTINUE'): void => {
  world.account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: name,
    LifecycleTransition: `autoscaling:EC2_INSTANCE_${transition}`,
    HeartbeatTimeout: 300,
    DefaultResult,
  });
};

const withoutHook = (tags: Readonly<Record<string, string>> = {}) =>
  withWorkers(world, { size: 1, tags, hook: undefined });

describe('drover hooks install', () => {
  it('adds Drover’s hook to a group without one', async () => {
    await withoutHook();
    expect(await operatorOf(world)('hooks install workers')).toEqual({
      code: 0,
      out: 'put hook drover-node-leaving on workers: heartbeat timeout 1h, default result CONTINUE; it can hold an instance for 48h\n',
      err: '',
    });
    expect(hooksOn(world)).toMatchObject([
      {
        LifecycleHookName: hookName,
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
        HeartbeatTimeout: 3600,
        DefaultResult: 'CONTINUE',
      },
    ]);
  });

  it('names its changes to an existing hook, and changes nothing the second time', async () => {
    await withWorkers(world, { size: 1 });
    const drover = operatorOf(world);
    const wish = 'hooks install workers --heartbeat 10m --default-result ABANDON';
    const change = 'heartbeat timeout 5m -> 10m, default result CONTINUE -> ABANDON';
    expect((await drover(`${wish} --dry-run`)).out).toContain(
      `would change hook ${hookName} on workers: ${change}`,
    );
    expect(hooksOn(world)).toMatchObject([{ HeartbeatTimeout: 300 }]);
    expect((await drover(wish)).out).toContain(`changed hook ${hookName} on workers: ${change}`);
    expect(hooksOn(world)).toMatchObject([{ HeartbeatTimeout: 600, DefaultResult: 'ABANDON' }]);
    expect((await drover(wish)).out).toBe(`workers has hook ${hookName} as wanted already\n`);
  });

  it('refuses to change a hook of that name that Drover did not create', async () => {
    await withoutHook();
    putHook(hookName, 'LAUNCHING');
    expect(await operatorOf(world)('hooks install workers')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/workers gets no hook: .*Drover did not create.*DROVER_LEAVING_HOOK/),
    });
    expect(hooksOn(world)).toMatchObject([{ LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING' }]);
  });

  it('does not change other hooks, nor the notification target of Drover’s hook', async () => {
    await withWorkers(world, { size: 1 });
    putHook('backup', 'TERMINATING', 'ABANDON');
    const [before] = hooksOn(world).filter(({ LifecycleHookName }) => LifecycleHookName === 'backup');
    await operatorOf(world)('hooks install workers');
    expect(hooksOn(world)).toContainEqual(before);
  });

  it('refuses ABANDON for a group with an etcd hook', async () => {
    await withWorkers(world, { size: 1, role: 'etcd' });
    putHook('drover-etcd', 'TERMINATING');
    expect(await operatorOf(world)('hooks install workers --default-result ABANDON')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the default result must be CONTINUE beside drover-etcd'),
    });
  });

  it('refuses a group without the cluster’s tags, because Drover ignores its waits', async () => {
    await withoutHook({ 'kubernetes.io/cluster/drover': 'mine' });
    expect(await operatorOf(world)('hooks install workers')).toMatchObject({
      code: 1,
      err: expect.stringContaining('must be owned or shared'),
    });
    expect(hooksOn(world)).toEqual([]);
  });

  it('warns if the drain timeout of the group is longer than the hook can wait', async () => {
    await withoutHook({ 'drover.dev/drain-timeout': '2h' });
    const { code, err } = await operatorOf(world)('hooks install workers --heartbeat 30s');
    expect(code).toBe(0);
    expect(err).toBe(
      `warning: workers: its drain timeout of 2h is longer than the 50m that ${hookName} can hold an instance: give the hook a longer heartbeat timeout\n`,
    );
  });

  it.each(['29s', '2h1s', '1m0.5s', 'soon'])('refuses a heartbeat timeout of %s', async (heartbeat) => {
    expect(await operatorOf(world)(`hooks install workers --heartbeat ${heartbeat}`)).toMatchObject({
      code: 2,
    });
  });

  it('warns where instances wait on the hook whose timeout it changes', async () => {
    const [leaving = ''] = await withWorkers(world, {
      size: 1,
      hook: { name: hookName, heartbeatTimeoutSeconds: 300 },
    });
    await run(world, ...heldDeployment({ name: 'held', replicas: 1 }));
    terminate(world, leaving);
    await world.timeline.pass(60);
    const drover = operatorOf(world);
    expect((await drover('hooks install workers --heartbeat 1h')).err).toContain(
      '1 of its instances wait on the hook now',
    );
    expect((await drover('hooks install workers --heartbeat 1h')).err).not.toContain('wait on the hook');
  });

  it('explains that a group can have at most 50 hooks', async () => {
    await withoutHook();
    for (let count = 0; count < 50; count += 1) putHook(`other-${count}`, 'TERMINATING');
    expect(await operatorOf(world)('hooks install workers')).toMatchObject({
      code: 1,
      err: expect.stringContaining('workers has 50 lifecycle hooks'),
    });
  });
});
