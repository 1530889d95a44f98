import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { create, heldDeployment } from '../../../local/world/workloads.ts';
import { pauseTagKey } from '../../../shared/passes/pause.ts';
import { countCalls, nodeNameOf, untilGone, untilSaid } from '../../support/observed-instance.ts';
import { operatorOf, startHeldDrain } from '../operator.ts';

const groupOf = ({ account }: DroverWorld, name = 'workers') =>
  account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: [name] })
    .AutoScalingGroups[0];

const pauseOn = (world: DroverWorld, name = 'workers'): string | undefined =>
  groupOf(world, name)?.Tags?.find(({ Key }) => Key === pauseTagKey)?.Value;

const tag = ({ account }: DroverWorld, key: string, value: string, name = 'workers'): void => {
  account.autoScaling.operations.CreateOrUpdateTags({
    Tags: [{ ResourceId: name, ResourceType: 'auto-scaling-group', Key: key, Value: value }],
  });
};

let world: DroverWorld;

beforeEach(() => {
  world = createDroverWorld();
});

describe('drover pause GROUP', () => {
  it('keeps an instance waiting until the group is resumed', async () => {
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    const drover = operatorOf(world);
    expect(await drover('pause workers')).toEqual({ code: 0, out: 'paused workers\n', err: '' });
    expect(pauseOn(world)).toMatch(/^scope=group since=\S+ by=user\/ana$/);
    await world.timeline.pass(20);
    terminate(world, leaving, { replace: false });
    await untilSaid(world, leaving, /paused for the group since .* by user\/ana/, 60);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(await drover('resume workers')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^resumed workers, which was paused for the group since \S+ by user\/ana\n$/,
      ),
    });
    await untilGone(world, leaving, 180);
    expect(nodesOf(world)).toHaveLength(1);
  });

  it.each(['fail-before', 'hang-before'] as const)(
    'names the user of the machine after three seconds at most, if STS does not answer (%s)',
    async (kind) => {
      world = createDroverWorld({
        weather: { strike: ({ what }) => (what === 'sts GetCallerIdentity' ? { kind } : undefined) },
      });
      await withWorkers(world, { size: 1 });
      const begun = world.clock.now();
      const run = operatorOf(world)('pause workers');
      await world.timeline.pass(4);
      expect(await run).toEqual({
        code: 0,
        out: 'paused workers\n',
        err: expect.stringMatching(
          /^warning: the pause names the user of this machine, ana, and not your AWS identity: STS does not answer GetCallerIdentity at sts\.\S+ \(.*\)\n$/,
        ),
      });
      expect(pauseOn(world)).toMatch(/ by=ana$/);
      expect(world.clock.now() - begun).toBe(4000);
    },
  );

  it('prints how long an instance that returns to its warm pool can be held', async () => {
    const ids = await withWorkers(world, { size: 2 });
    const { operations } = world.account.autoScaling;
    operations.PutWarmPool({
      AutoScalingGroupName: 'workers',
      InstanceReusePolicy: { ReuseOnScaleIn: true },
    });
    await create(world, ...heldDeployment({ name: 'web', replicas: 4 }));
    await world.timeline.pass(20);
    operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 1 });
    const returning = (): string => ids.find((id) => stateOf(world, id) === 'Warmed:Pending:Wait') ?? '';
    await world.timeline.until(() => returning() !== '', { withinSeconds: 300, what: 'the wait' });
    await world.timeline.pass(60);
    const { out } = await operatorOf(world)('pause workers');
    expect(out).toContain(
      `${returning()} (node ${nodeNameOf(world, returning())}) of workers can be held until`,
    );
    expect(out).toContain(', then it returns to its warm pool, drained or not\n');
  });

  it('prints how long each waiting instance can be held, and what happens then', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const node = nodeNameOf(world, leaving);
    const { out } = await operatorOf(world)('pause workers');
    expect(out).toContain(`${leaving} (node ${node}) of workers can be held until 20`);
    expect(out).toContain(', then it terminates, drained or not\n');
    const { waiting } = JSON.parse((await operatorOf(world)('pause workers --json')).out) as {
      waiting: { heldUntil: string }[];
    };
    // 100 heartbeats of five minutes.
    const hours = (Date.parse(waiting[0]?.heldUntil ?? '') - world.clock.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(8.2);
    expect(hours).toBeLessThan(8.4);
  });

  it('pauses with a warning if it cannot read the hooks', async () => {
    await withWorkers(world, { size: 1 });
    const actions = ['autoscaling:DescribeAutoScalingGroups', 'autoscaling:CreateOrUpdateTags'];
    const { code, out, err } = await operatorOf(world, { actions })('pause workers');
    expect([code, out]).toEqual([0, 'paused workers\n']);
    expect(err).toMatch(
      /^warning: cannot determine how long instances can be held: .*DescribeLifecycleHooks/,
    );
    expect(pauseOn(world)).toBeDefined();
  });

  it('causes only the heartbeats that are due, and no finding of the sweep', async () => {
    const calls = countCalls();
    world = createDroverWorld({ weather: { onCall: calls.onCall } });
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    await operatorOf(world)('pause workers');
    await world.timeline.pass(20);
    calls.reset();
    await world.timeline.pass(3600);
    // One every third of the heartbeat timeout of five minutes, at the next pass.
    expect(calls.count('autoscaling RecordLifecycleActionHeartbeat')).toBeLessThanOrEqual(36);
    expect(calls.count('autoscaling RecordLifecycleActionHeartbeat')).toBeGreaterThanOrEqual(24);
    expect(world.lines.filter(({ finding }) => finding !== undefined)).toEqual([]);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
  });

  it('prints the maximum hold of an instance if it cannot read the cluster', async () => {
    const leaving = await startHeldDrain(world, await withWorkers(world, { size: 2 }));
    const { code, out, err } = await operatorOf(world, { hasKubeconfig: false })('pause workers');
    expect(code).toBe(0);
    expect(out).toContain(`${leaving} of workers can be held for 8h20m from the start of its wait`);
    expect(err).toMatch(
      /^warning: cannot read from the cluster since when its nodes leave: there is no kubeconfig/,
    );
  });

  it('changes nothing the second time, and prints the user who paused it', async () => {
    await withWorkers(world, { size: 1 });
    const drover = operatorOf(world);
    await drover('pause workers');
    const before = pauseOn(world);
    await world.timeline.pass(60);
    expect(await drover('pause workers')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^workers is paused for the group since \S+ by user\/ana already\n$/),
    });
    expect(pauseOn(world)).toBe(before);
  });

  it.each([
    ['yes', 'paused', ''],
    ['no', undefined, 'nothing was changed\n'],
  ])('asks at a terminal before it pauses every group, and takes %s', async (answer, expected, said) => {
    await withWorkers(world, { size: 1 });
    const drover = operatorOf(world, { isTerminal: true, typed: [answer] });
    const { code, out, err } = await drover('pause');
    expect([code, err]).toEqual([0, `Pause 1 group? Type yes to go on: ${said}`]);
    expect(out).toContain('would pause workers\n');
    if (expected === undefined) expect(pauseOn(world)).toBeUndefined();
    else expect(pauseOn(world)).toMatch(/^scope=cluster /);
    // A pause that is there needs no question, and none about one group either.
    expect((await operatorOf(world, { isTerminal: true })('pause --yes')).err).toBe('');
    expect((await operatorOf(world, { isTerminal: true, typed: [] })('pause')).err).toBe('');
    expect((await operatorOf(world, { isTerminal: true, typed: [] })('resume workers')).err).toBe('');
    expect(pauseOn(world)).toBeUndefined();
  });

  it('asks nothing in a pipe: a script that pauses in an emergency must not stop at a question', async () => {
    await withWorkers(world, { size: 1 });
    expect(await operatorOf(world)('pause')).toMatchObject({ code: 0, out: 'paused workers\n', err: '' });
    expect(await operatorOf(world)('resume --plan')).toMatchObject({
      code: 0,
      out: expect.stringContaining('would resume workers'),
    });
    expect(pauseOn(world)).toBeDefined();
  });

  it('prints with --dry-run what it would do, and changes nothing', async () => {
    await withWorkers(world, { size: 1 });
    expect(await operatorOf(world)('pause --dry-run')).toEqual({
      code: 0,
      out: 'would pause workers\n',
      err: '',
    });
    expect(pauseOn(world)).toBeUndefined();
  });

  it('refuses a missing group, and a group that the cluster does not manage', async () => {
    await withWorkers(world, { size: 1, tags: { 'drover.dev/role': 'wroker' } });
    const drover = operatorOf(world);
    expect(await drover('pause missing')).toMatchObject({
      code: 1,
      err: 'drover: there is no Auto Scaling group missing in this account and region: drover hooks lists the managed groups\n',
    });
    expect(await drover('pause workers')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/cluster drover does not manage workers: its tag drover.dev\/role must be/),
    });
    expect(await drover('pause')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no Auto Scaling group/),
    });
    expect(pauseOn(world)).toBeUndefined();
  });

  it('explains that a group can have at most 50 tags', async () => {
    await withWorkers(world, { size: 1 });
    for (let count = groupOf(world)?.Tags?.length ?? 0; count < 50; count += 1)
      tag(world, `team/${count}`, '');
    expect(await operatorOf(world)('pause workers')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /1 of 1 groups could not be changed: workers: workers has 50 tags, .*remove one/,
      ),
    });
  });
});

describe('drover pause without a group', () => {
  const second = { autoScalingGroupName: 'spare', hook: { name: hookName, heartbeatTimeoutSeconds: 60 } };

  it('pauses every managed group, and resume ends pauses of groups and of the cluster', async () => {
    await withWorkers(world, { size: 1 });
    await withWorkers(world, { size: 1, ...second });
    const drover = operatorOf(world);
    await drover('pause spare');
    const { out } = await drover('pause');
    expect(out).toContain('paused workers\n');
    expect(out).toMatch(/spare is paused for the group since \S+ by user\/ana already/);
    expect(pauseOn(world)).toMatch(/^scope=cluster /);
    const resumed = await drover('resume');
    expect(resumed.out).toContain('resumed workers, which was paused for the cluster');
    expect(resumed.out).toContain('resumed spare, which was paused for the group');
    expect([pauseOn(world), pauseOn(world, 'spare')]).toEqual([undefined, undefined]);
    expect((await drover('resume')).out).toBe('workers is not paused\nspare is not paused\n');
  });

  it('pauses the other groups if one cannot be paused', async () => {
    await withWorkers(world, { size: 1 });
    await withWorkers(world, { size: 1, ...second });
    for (let count = groupOf(world, 'spare')?.Tags?.length ?? 0; count < 50; count += 1)
      tag(world, `team/${count}`, '', 'spare');
    const { code, out, err } = await operatorOf(world)('pause --json');
    expect(code).toBe(1);
    expect(err).toMatch(/1 of 2 groups/);
    expect(pauseOn(world)).toMatch(/^scope=cluster /);
    expect(JSON.parse(out)).toMatchObject({
      dryRun: false,
      groups: expect.arrayContaining([
        { autoScalingGroupName: 'workers', change: 'set', value: pauseOn(world) },
        {
          autoScalingGroupName: 'spare',
          change: 'failed',
          value: pauseOn(world),
          reason: expect.any(String),
        },
      ]),
    });
  });

  it('accepts a hand-written pause tag, and reads “false” as no pause', async () => {
    await withWorkers(world, { size: 1 });
    const drover = operatorOf(world);
    tag(world, pauseTagKey, 'while I look');
    expect((await drover('pause')).out).toBe('workers is paused for the group already\n');
    tag(world, pauseTagKey, 'false');
    expect((await drover('pause')).out).toBe('paused workers\n');
  });
});
