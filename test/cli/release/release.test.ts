import { beforeEach, describe, expect, it } from 'vitest';
import { addEtcdGroup, etcdHook } from '../../../local/etcd-group.ts';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  stateOf,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { nodeNameOf, untilGone } from '../../support/observed-instance.ts';
import { operatorOf, startHeldDrain } from '../operator.ts';

let world: DroverWorld;

beforeEach(() => {
  world = createDroverWorld();
});

const putHook = (name: string, transition: 'LAUNCHING' | 'TERMINATING', group = 'workers'): void => {
  world.account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: group,
    LifecycleHookName: name,
    LifecycleTransition: `autoscaling:EC2_INSTANCE_${transition}`,
    HeartbeatTimeout: 3600,
    DefaultResult: 'ABANDON',
  });
};

const tag = (key: string, value: string, group = 'workers'): void => {
  world.account.autoScaling.operations.CreateOrUpdateTags({
    Tags: [{ ResourceId: group, ResourceType: 'auto-scaling-group', Key: key, Value: value }],
  });
};

/** Drover does nothing from now on, as after its removal. */
const withoutDrover = (): void => world.lambda.stop();

describe('drover release', () => {
  it('ends a wait that a budget holds, and names the pods that this costs', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const node = nodeNameOf(world, leaving);
    const { code, out } = await operatorOf(world)(`release ${leaving} --yes`);
    expect(code).toBe(0);
    expect(out).toContain(
      `${leaving} (node ${node}) of workers is in Terminating:Wait: CONTINUE for ${hookName}: EC2 terminates it at once\n`,
    );
    expect(out).toMatch(
      /^ {2}2 pods end with the instance, without eviction, whatever their budgets: default\/web-\S+ \(held by web\), /m,
    );
    expect(out).toContain(`released ${leaving} (node ${node}) of workers from ${hookName}\n`);
    await untilGone(world, leaving, 300);
  });

  it('changes nothing with --plan, without --yes in a pipe, and after any other answer than yes', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const planned = await operatorOf(world)('release workers --plan --no-room');
    expect(planned).toMatchObject({ code: 0, err: '' });
    const piped = await operatorOf(world)('release workers');
    expect(piped).toEqual({ ...planned, err: 'nothing was changed: give --yes to do it\n' });
    const asked = operatorOf(world, { isTerminal: true, typed: ['y'] });
    expect((await asked('release workers')).err).toBe(
      'Release 1 instance? Type yes to go on: nothing was changed\n',
    );
    const left = operatorOf(world, { isTerminal: true, typed: [] });
    expect((await left('release workers')).err).toContain('nothing was changed');
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    const agreed = operatorOf(world, { isTerminal: true, typed: ['yes'] });
    expect(await agreed('release workers')).toMatchObject({
      code: 0,
      out: expect.stringContaining('released'),
    });
    expect(stateOf(world, leaving)).not.toBe('Terminating:Wait');
  });

  it('says that nothing waits, and exits with 0', async () => {
    const [id = ''] = await withWorkers(world, { size: 1 });
    expect(await operatorOf(world)('release workers --yes')).toEqual({
      code: 0,
      out: 'no instance of workers waits on a lifecycle hook\n',
      err: '',
    });
    expect((await operatorOf(world)(`release ${id}`)).out).toBe(
      `${id} of workers waits on no lifecycle hook\n`,
    );
  });

  it('lets a launch go into service with CONTINUE, although the default result is ABANDON', async () => {
    await withWorkers(world, { size: 1 });
    withoutDrover();
    putHook('drover-node-joining', 'LAUNCHING');
    const { operations } = world.account.autoScaling;
    operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 2 });
    const waiting = () =>
      operations
        .DescribeAutoScalingInstances({})
        .AutoScalingInstances.find(({ LifecycleState }) => LifecycleState === 'Pending:Wait')?.InstanceId;
    await world.timeline.until(() => waiting() !== undefined, { withinSeconds: 120, what: 'the launch' });
    const id = waiting() ?? '';
    const { code, out } = await operatorOf(world)(`release workers --yes`);
    expect(out).toContain(': it goes into service, although its node may not be Ready\n');
    expect(code).toBe(0);
    await world.timeline.pass(30);
    expect(stateOf(world, id)).toBe('InService');
  });

  it('works without a kubeconfig, and says that the pods are unknown', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const { code, out, err } = await operatorOf(world, { hasKubeconfig: false })(`release ${leaving} --yes`);
    expect(err).toMatch(/^warning: cannot read which pods run on these instances: there is no kubeconfig/);
    expect(out).toContain('  which pods run there is unknown; ');
    expect(code).toBe(0);
    expect(stateOf(world, leaving)).not.toBe('Terminating:Wait');
  });

  it('names a hook that is not Drover’s, leaves it alone, and exits with 1', async () => {
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    withoutDrover();
    putHook('backup', 'TERMINATING');
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(10);
    const first = await operatorOf(world)(`release ${leaving} --yes`);
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining(`from ${hookName}\n`) });
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    const second = await operatorOf(world)(`release ${leaving} --yes`);
    expect(second.out).toContain('was not released: it waits on a hook that is not Drover’s: backup\n');
    expect(second).toMatchObject({
      code: 1,
      err: `drover: 1 of 1 instance could not be released: ${leaving}\n`,
    });
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
  });

  it('releases members of etcd only with their own flag', async () => {
    addEtcdGroup(world, { size: 1 });
    const { operations } = world.account.autoScaling;
    const member = () => operations.DescribeAutoScalingInstances({}).AutoScalingInstances[0];
    await world.timeline.until(() => member()?.LifecycleState === 'Pending:Wait', {
      withinSeconds: 120,
      what: 'the member',
    });
    withoutDrover();
    const id = member()?.InstanceId ?? '';
    const refused = await operatorOf(world)(`release etcd --yes`);
    expect(refused.out).toContain('give --etcd-members to complete drover-etcd-launch');
    expect(refused.out).toContain('it is a member of etcd, and --etcd-members is not given\n');
    expect(refused.code).toBe(1);
    expect(stateOf(world, id)).toBe('Pending:Wait');
    expect((await operatorOf(world)('release etcd --yes --etcd-members')).code).toBe(0);
    await world.timeline.pass(30);
    expect(stateOf(world, id)).toBe('InService');
    terminate(world, id, { replace: false });
    await world.timeline.pass(10);
    const { out } = await operatorOf(world)(`release ${id} --yes --etcd-members`);
    expect(out).toContain('its member stays in etcd and counts for the quorum');
    expect(out).toContain(`of etcd from ${etcdHook}\n`);
    expect(stateOf(world, id)).not.toBe('Terminating:Wait');
  });

  it('releases an instance that waits to return to its warm pool, which the group does not list', async () => {
    await withWorkers(world, { size: 2 });
    withoutDrover();
    const { operations } = world.account.autoScaling;
    operations.PutWarmPool({
      AutoScalingGroupName: 'workers',
      InstanceReusePolicy: { ReuseOnScaleIn: true },
    });
    await world.timeline.pass(120);
    operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 1 });
    await world.timeline.pass(20);
    const { code, out } = await operatorOf(world)('release workers --yes');
    expect(out).toMatch(/ is in Warmed:Pending:Wait: CONTINUE for .*: it goes into its warm pool/);
    expect(code).toBe(0);
    expect((await operatorOf(world)('release workers --plan')).out).toContain('no instance');
  });

  it('takes a group that has lost its tags, and refuses that of another cluster or none', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    world.account.autoScaling.operations.DeleteTags({
      Tags: [
        { ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key: 'kubernetes.io/cluster/drover' },
      ],
    });
    expect((await operatorOf(world)('release workers --plan')).out).toContain(leaving);
    tag('kubernetes.io/cluster/other', 'owned');
    expect((await operatorOf(world)(`release ${leaving} --yes`)).err).toBe(
      'drover: workers belongs to cluster other: name that cluster with --cluster if you mean it\n',
    );
    expect((await operatorOf(world)('release missing')).err).toContain(
      'there is no Auto Scaling group missing',
    );
    expect((await operatorOf(world)('release i-0123456789abcdef0')).err).toContain(
      'no Auto Scaling group has instance i-0123456789abcdef0',
    );
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
  });

  it('prints the same as data', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const planned = JSON.parse((await operatorOf(world)('release workers --json --plan')).out) as unknown;
    expect(planned).toMatchObject({
      done: false,
      instances: [
        {
          instanceId: leaving,
          plan: 'complete',
          outcome: 'not-done',
          hooks: [hookName],
          pods: [{ namespace: 'default', heldBy: ['web'] }, {}],
        },
      ],
    });
    const done = JSON.parse((await operatorOf(world)('release workers --json --yes')).out) as unknown;
    expect(done).toMatchObject({
      done: true,
      instances: [{ instanceId: leaving, outcome: 'released', completed: [hookName] }],
    });
  });

  it('ends between two instances after Ctrl-C, and says how to go on', async () => {
    const ids = await withWorkers(world, { size: 3 });
    withoutDrover();
    for (const id of ids) terminate(world, id, { replace: false });
    await world.timeline.pass(10);
    let press = (): void => undefined;
    const drover = operatorOf(world, {
      onInterrupt: (listener) => {
        press = listener;
        return () => undefined;
      },
      onOutput: (text) => {
        if (text.startsWith('released')) press();
      },
    });
    const { code, err } = await drover('release workers --yes');
    expect(code).toBe(130);
    expect(err).toContain('interrupted: 1 of 3 instances were released; drover release workers goes on\n');
    expect(ids.filter((id) => stateOf(world, id) === 'Terminating:Wait')).toHaveLength(2);
    expect((await operatorOf(world)('release workers --yes')).code).toBe(0);
    expect(ids.filter((id) => stateOf(world, id) === 'Terminating:Wait')).toEqual([]);
  });
});
