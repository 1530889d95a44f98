import { beforeEach, describe, expect, it } from 'vitest';
import { joiningHookName } from '../../../local/names.ts';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';

let world: DroverWorld;

beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1 });
});

const put = (name: string, transition: 'LAUNCHING' | 'TERMINATING'): void => {
  world.account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: name,
    LifecycleTransition: `autoscaling:EC2_INSTANCE_${transition}`,
    HeartbeatTimeout: 300,
    DefaultResult: 'CONTINUE',
  });
};

const joiningHooks = () =>
  world.account.autoScaling.operations
    .DescribeLifecycleHooks({ AutoScalingGroupName: 'workers' })
    .LifecycleHooks?.filter(({ LifecycleHookName }) => LifecycleHookName === joiningHookName);

describe('drover hooks install --joining', () => {
  it('adds the hook on launching instances, and says what its default result means', async () => {
    expect(await operatorOf(world)('hooks install workers --joining')).toEqual({
      code: 0,
      out: `put hook drover-node-joining on workers: heartbeat timeout 1h, default result CONTINUE; it can hold an instance for 48h
CONTINUE: while Drover does not run, launched instances go into service, as without the hook
`,
      err: '',
    });
    expect(joiningHooks()).toMatchObject([
      {
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
        HeartbeatTimeout: 3600,
        DefaultResult: 'CONTINUE',
      },
    ]);
  });

  it('names its changes, and changes nothing the second time', async () => {
    put(joiningHookName, 'LAUNCHING');
    const drover = operatorOf(world);
    const wish = 'hooks install workers --joining --heartbeat 10m --default-result ABANDON';
    const { out } = await drover(wish);
    expect(out).toContain('heartbeat timeout 5m -> 10m, default result CONTINUE -> ABANDON');
    expect(out).toContain('launched instances are terminated');
    expect((await drover(wish)).out).toContain('has hook drover-node-joining as wanted already');
  });

  it('refuses a hook of that name for terminating instances', async () => {
    put(joiningHookName, 'TERMINATING');
    expect(await operatorOf(world)('hooks install workers --joining')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/gets no hook: .*Drover did not create.*DROVER_JOINING_HOOK/),
    });
  });

  it('refuses ABANDON beside the launch hook of etcd', async () => {
    put('drover-etcd-launch', 'LAUNCHING');
    expect(await operatorOf(world)('hooks install workers --joining --default-result ABANDON')).toMatchObject(
      { code: 1, err: expect.stringContaining('ABANDON would terminate new members of etcd') },
    );
    expect(joiningHooks()).toEqual([]);
  });
});

describe('drover status', () => {
  it('lists the instances that wait on the hook', async () => {
    put(joiningHookName, 'LAUNCHING');
    world.account.autoScaling.operations.SetDesiredCapacity({
      AutoScalingGroupName: 'workers',
      DesiredCapacity: 2,
    });
    await world.timeline.until(
      () => membersOf(world).some(({ LifecycleState }) => LifecycleState === 'Pending:Wait'),
      { withinSeconds: 30, what: 'a launch that waits' },
    );
    const { out } = await operatorOf(world)('status --json');
    expect(JSON.parse(out).joining).toEqual([
      {
        instanceId: expect.stringMatching(/^i-/),
        autoScalingGroupName: 'workers',
        lifecycleState: 'Pending:Wait',
      },
    ]);
    expect((await operatorOf(world)('status')).out).toMatch(
      /JOINING +GROUP +STATE\ni-\w+ +workers +Pending:Wait/,
    );
  });
});
