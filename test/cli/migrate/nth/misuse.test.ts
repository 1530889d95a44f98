import { describe, expect, it } from 'vitest';
import { membersOf, terminate } from '../../../../local/world/drover-world.ts';
import { operatorOf } from '../../operator.ts';
import { handedOver, handler, managedTag, nthHook, nthWorld, putHook } from './world.ts';

describe('drover migrate nth as a hurried operator gives it', () => {
  it('refuses the mistyped name of a hook, with which the handler’s hook would stay', async () => {
    const world = await nthWorld({ defaultResult: 'ABANDON' });
    const before = handedOver(world);
    const drover = operatorOf(world);
    const { code, err } = await drover('migrate nth --hook my-k8s-trem-hook --apply --yes');
    expect(code).toBe(1);
    expect(err).toContain('--hook my-k8s-trem-hook: none of the groups has a hook of this name');
    expect(handedOver(world)).toEqual(before);
  });

  it('takes the name of a hook again that an earlier run has deleted', async () => {
    const world = await nthWorld();
    putHook(world, 'backup', 'TERMINATING', { heartbeatTimeoutSeconds: 60, defaultResult: 'CONTINUE' });
    const drover = operatorOf(world);
    for (let run = 0; run < 2; run += 1)
      expect(await drover(`migrate nth --hook ${nthHook} --apply --yes`)).toMatchObject({ code: 0, err: '' });
  });

  it('refuses hooks without --hook if no rule here sends events to its queue, as of another region', async () => {
    const QUEUE_URL = 'https://sqs.us-east-1.amazonaws.com/999999999999/nth';
    const world = await nthWorld({ env: { QUEUE_URL } });
    const drover = operatorOf(world);
    const refused = await drover('migrate nth');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`may be the handler’s: ${nthHook}. No rule of this account and region`);
    const { out } = await drover(`migrate nth --hook ${nthHook}`);
    expect(out).toContain(`hook ${nthHook} on terminating instances is deleted`);
  });

  it('says in JSON that a refused group is not done', async () => {
    const { code, out } = await operatorOf(await nthWorld())('migrate nth --group missing --json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ done: false, refusals: [{ subject: 'missing' }] });
  });

  it('names the command that goes on with the same hooks and servers', async () => {
    const world = await nthWorld();
    const [{ InstanceId: id = '' } = {}] = membersOf(world);
    terminate(world, id, { replace: false });
    await world.timeline.pass(5);
    const flags = `--group workers --hook ${nthHook} --cluster drover --region eu-west-1`;
    const { code, err } = await operatorOf(world)(`migrate nth ${flags} --apply --yes --wait 0`);
    expect(code).toBe(1);
    expect(err).toContain(`drover migrate nth ${flags} --apply goes on`);
  });

  it.each([
    [managedTag, `all by the tag ${managedTag}`],
    ['nth/blue', 'Give --values FILE'],
  ])(
    'finds a second handler under another chart name without its label, which drains by %s',
    async (tag, said) => {
      const world = await nthWorld();
      const second = handler('https://sqs.eu-west-1.amazonaws.com/999999999999/blue', { MANAGED_TAG: tag });
      world.kubernetes.registry.create('deployments.apps', {
        ...second,
        metadata: { name: 'blue', namespace: 'default', labels: { app: 'blue' } },
      });
      const { code, err } = await operatorOf(world)('migrate nth');
      expect(code).toBe(1);
      expect(err).toContain('several AWS Node Termination Handlers read queues: ');
      expect(err).toContain('Deployment default/blue');
      expect(err).toContain(said);
    },
  );

  it.each(['--values values.yaml', `--hook ${nthHook}`, '--both-drain'])(
    'refuses --back with %s, which a record makes needless',
    async (flag) => {
      const { code, err } = await operatorOf(await nthWorld())(`migrate nth --back ${flag}`);
      expect(code).toBe(2);
      expect(err).toContain("option '--back' cannot be used with option");
    },
  );

  it('hands instances of a warm pool over, and gives them back', async () => {
    const world = await nthWorld();
    const { autoScaling } = world.account;
    autoScaling.operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1, PoolState: 'Stopped' });
    await world.timeline.pass(400);
    const { Instances: pool } = autoScaling.operations.DescribeWarmPool({
      AutoScalingGroupName: 'workers',
    });
    const [{ InstanceId: id = '', LifecycleState: state } = {}] = pool;
    expect(state).toBe('Warmed:Stopped');
    const keys = () =>
      world.account.ec2.operations
        .DescribeTags({ Filters: [{ Name: 'resource-id', Values: [id] }] })
        .Tags?.map(({ Key }) => Key);
    expect(keys()).toContain(managedTag);
    const drover = operatorOf(world);
    expect(await drover('migrate nth --apply --yes')).toMatchObject({ code: 0, err: '' });
    expect(keys()).not.toContain(managedTag);
    expect(await drover('migrate nth --back --apply --yes')).toMatchObject({ code: 0, err: '' });
    expect(keys()).toContain(managedTag);
  });

  it('describes 51 groups in calls of at most 50 names', async () => {
    const world = await nthWorld();
    const { operations } = world.account.autoScaling;
    const { LaunchTemplate } =
      operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: ['workers'] }).AutoScalingGroups[0] ?? {};
    const names = Array.from({ length: 51 }, (_, index) => `group-${index}`);
    for (const AutoScalingGroupName of names)
      operations.CreateAutoScalingGroup({
        AutoScalingGroupName,
        MinSize: 0,
        MaxSize: 0,
        AvailabilityZones: ['eu-west-1a'],
        LaunchTemplate,
      });
    const asked: number[] = [];
    const original = operations.DescribeAutoScalingGroups;
    operations.DescribeAutoScalingGroups = (input, call) => {
      asked.push(input.AutoScalingGroupNames?.length ?? 0);
      return original(input, call);
    };
    const { err } = await operatorOf(world)(`migrate nth --group ${names.join(' ')}`);
    expect(err).toMatch(/^drover: 51 refusals: group-0: .*does not drain it/);
    expect(Math.max(...asked)).toBe(50);
  });
});
