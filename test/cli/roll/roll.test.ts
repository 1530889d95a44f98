import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  nodesOf,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { parametersOf } from '../../../local/world/holds.ts';
import { budget, create, deployment, request } from '../../../local/world/workloads.ts';
import { formatRollingMark } from '../../../shared/nodes/rolling-mark.ts';
import { changeRoll } from '../../../shared/roll/change-roll.ts';
import { askParameterOf, type Roll, type RollSeen, readRoll } from '../../../shared/roll/roll.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';
import { askedRolls, changeTemplate, paths, putSeen, turnRollsOn } from './support.ts';

let world: DroverWorld;
let ids: readonly string[];
beforeEach(async () => {
  world = createDroverWorld();
  ids = await withWorkers(world, { size: 2, settings: { MinSize: 0, MaxSize: 5 } });
  turnRollsOn(world);
});

const drover = (line: string, options: OperatorOptions = {}) => operatorOf(world, options)(line);

async function rollNamed(name: string): Promise<Roll> {
  const text = await parametersOf(world).read(askParameterOf(paths, name));
  const reading = readRoll(text ?? '', name);
  if (reading.kind === 'unreadable') throw new Error(reading.why);
  return reading.value;
}

async function see(state: RollSeen['state'], reason = 'because', name = 'workers'): Promise<void> {
  const { startedAt } = await rollNamed(name);
  await putSeen(world, name, { startedAt, state, reason, since: world.clock.now(), told: [] });
}

/** When the newest instance was launched, in epoch milliseconds. */
const newestLaunch = ({ account }: DroverWorld): number =>
  Math.max(
    ...(account.ec2.operations.DescribeInstances({}).Reservations ?? []).flatMap(({ Instances = [] }) =>
      Instances.map(({ LaunchTime }) => LaunchTime?.getTime() ?? 0),
    ),
  );

/** What a pass does to a Node before it terminates its instance. */
const mark = (node: string, roll = 'workers') =>
  request(world, 'PATCH', `/api/v1/nodes/${node}`, {
    metadata: {
      annotations: {
        'drover.dev/rolling': formatRollingMark({
          roll,
          at: new Date(world.clock.now()).toISOString(),
          waits: true,
          wasCordoned: false,
        }),
      },
    },
  });

const unmark = (node: string) =>
  request(world, 'PATCH', `/api/v1/nodes/${node}`, {
    metadata: { annotations: { 'drover.dev/rolling': null } },
  });

describe('drover roll', () => {
  it('begins a roll with what its group launches now, and shows the preflight first', async () => {
    changeTemplate(world);
    const began = world.clock.now();
    const { code, out, err } = await drover(
      'roll workers --surge 2 --bake 10m --stop-on drover-dev-sweep-errors',
    );
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^GROUP[^]*\nroll workers has begun: it replaces 2 nodes; drover roll status workers /,
    );
    const roll = await rollNamed('workers');
    expect(roll).toMatchObject({
      name: 'workers',
      groups: [{ autoScalingGroupName: 'workers', target: { main: { version: 2 } } }],
      criterion: { kind: 'changed' },
      surge: 2,
      canary: 1,
      bakeSeconds: 600,
      stopOn: ['drover-dev-sweep-errors'],
      wanted: 'run',
      skipBlocked: false,
      by: 'arn:aws:iam::123456789012:user/ana',
    });
    expect(roll.startedAt).toBeGreaterThanOrEqual(began);
  });

  it('refuses an alarm that does not exist: it would never stop the roll', async () => {
    changeTemplate(world);
    const { code, out } = await drover('roll workers --stop-on web-errros');
    expect(code).toBe(1);
    expect(out).toContain('refused: alarm web-errros: CloudWatch has no alarm with this name');
    expect(askedRolls(world)).toEqual([]);
  });

  it('writes nothing if nothing is old', async () => {
    expect((await drover('roll --all')).code).toBe(0);
    expect(askedRolls(world)).toEqual([]);
  });

  it('refuses a group of a roll that has not ended, and a name that is taken', async () => {
    changeTemplate(world);
    await drover('roll workers --name june');
    const same = await drover('roll workers --name july');
    expect([same.code, same.err]).toEqual([1, 'drover: the roll cannot begin because of workers\n']);
    expect(same.out).toContain('roll june replaces its nodes already');
    await withWorkers(world, { size: 1, autoScalingGroupName: 'others' });
    expect(await drover('roll others --everything --name june')).toMatchObject({
      code: 1,
      err: 'drover: a roll june is starting: choose another --name, or end it with drover roll abort june\n',
    });
    expect((await rollNamed('june')).groups).toHaveLength(1);
  });

  it.each(['workers-', '-workers_(blue).', `${'a'.repeat(49)}-b`])(
    'begins a roll whose name is the value of a taint for the group %j',
    async (autoScalingGroupName) => {
      await withWorkers(world, { size: 1, autoScalingGroupName });
      await operatorOf(world)(['roll', '--everything', '--', autoScalingGroupName]);
      const [parameter = ''] = askedRolls(world);
      const [node = ''] = nodesOf(world);
      const value = parameter.slice(paths.rolls.length + 1, -'/ask'.length);
      const taints = [{ key: 'drover.dev/old-node', value, effect: 'PreferNoSchedule' }];
      const { body } = await request(world, 'PATCH', `/api/v1/nodes/${node}`, { spec: { taints } });
      expect(JSON.parse(body)).toMatchObject({ spec: { taints } });
    },
  );

  it.each(['june-', '.june', 'a'.repeat(64)])(
    'refuses the name %j, which no taint may have',
    async (name) => {
      expect(await drover(`roll workers --everything --name=${name}`)).toMatchObject({
        code: 2,
        err: expect.stringContaining('--name: write letters, digits'),
      });
      expect(askedRolls(world)).toEqual([]);
    },
  );

  it('begins again under the name of a roll that has ended', async () => {
    changeTemplate(world);
    await drover('roll workers');
    await see('done');
    const first = await rollNamed('workers');
    await world.timeline.pass(60);
    expect((await drover('roll workers')).code).toBe(0);
    expect((await rollNamed('workers')).startedAt).toBeGreaterThan(first.startedAt);
    expect((await drover('roll list')).out).toMatch(/^workers +workers +\S+ +\S*user\/ana +starting /m);
  });

  it('is refused if the deployment has rolls off, with what to do', async () => {
    world.account.events.operations.DeleteRule({ Name: 'drover-dev-roll' });
    changeTemplate(world);
    expect(await drover('roll workers')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^drover: rolls are off in the deployment of stage dev: deploy it with/),
    });
    expect(askedRolls(world)).toEqual([]);
    expect((await drover('roll workers --dry-run')).code).toBe(0);
  });

  it('begins with a warning if the rules may not be read', async () => {
    changeTemplate(world);
    const actions = ['autoscaling:*', 'ec2:*', 'ssm:*', 'sts:*'];
    const { code, err } = await drover('roll workers', { actions });
    expect(code).toBe(0);
    expect(err).toMatch(/^warning: whether rolls are on in the deployment is unknown: /);
  });
});

describe('drover roll status', () => {
  it('shows the groups, and why a node that leaves is held', async () => {
    changeTemplate(world);
    await drover('roll workers --skip-blocked');
    await see('running', '1 of 2 nodes are replaced');
    const [id = ''] = ids;
    await create(world, deployment({ name: 'web', replicas: 4 }), budget('web', { maxUnavailable: 0 }));
    await world.timeline.pass(30);
    terminate(world, id);
    await world.timeline.pass(120);
    const { code, out } = await drover('roll status workers');
    expect(code).toBe(0);
    expect(out).toMatch(/^roll workers is running since \S+: 1 of 2 nodes are replaced$/m);
    expect(out).toMatch(/^workers +1 +1 +1 +0$/m);
    expect(out).toMatch(/^\S+ +workers +leaving +it waits for default\/web-/m);
    expect(JSON.parse((await drover('roll status --json')).out)).toMatchObject([
      { name: 'workers', state: 'running', groups: [{ old: 1, fresh: 1, leaving: 1 }] },
    ]);
  });

  it('names the old instances of a warm pool among those that are left out', async () => {
    const { operations } = world.account.autoScaling;
    operations.PutWarmPool({ AutoScalingGroupName: 'workers', MinSize: 1, MaxGroupPreparedCapacity: 0 });
    await world.timeline.pass(300);
    changeTemplate(world);
    await drover('roll workers');
    const { Instances } = operations.DescribeWarmPool({ AutoScalingGroupName: 'workers' });
    const { out } = await drover('roll status workers');
    expect(out).toMatch(/^workers +2 +0 +0 +1$/m);
    expect(out).toContain(`${Instances[0]?.InstanceId}`);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('it is in the warm pool (Warmed:Stopped)');
  });

  it('waits for the end of a roll with --wait, and asks which one', async () => {
    changeTemplate(world);
    await drover('roll workers');
    await see('stopped', 'an alarm');
    expect(await drover('roll status workers --wait')).toMatchObject({
      code: 1,
      err: 'drover: roll workers is stopped: an alarm\n',
    });
    await see('done');
    expect((await drover('roll status workers --wait')).code).toBe(0);
    expect(await drover('roll status --wait')).toMatchObject({
      code: 2,
      err: 'drover: give the name of the roll to wait for\n',
    });
  });

  it('shows a marked node, and says that there is no such roll', async () => {
    changeTemplate(world);
    await drover('roll workers');
    const [node = ''] = nodesOf(world);
    await mark(node);
    expect((await drover('roll status')).out).toMatch(
      new RegExp(`^${node} +workers +marked +it is cordoned`, 'm'),
    );
    expect(await drover('roll status june')).toMatchObject({
      code: 1,
      err: 'drover: there is no roll june: there is workers\n',
    });
  });
});

describe('drover roll pause, resume and abort', () => {
  beforeEach(async () => {
    changeTemplate(world);
    await drover('roll workers');
    await see('running');
  });

  it('ask it of the pass, and change nothing in a dry run', async () => {
    expect((await drover('roll pause workers --dry-run')).out).toBe('would pause roll workers\n');
    expect((await rollNamed('workers')).wanted).toBe('run');
    expect(await drover('roll pause workers')).toMatchObject({
      code: 0,
      out: 'roll workers pauses: no further node is replaced, and one that leaves goes on; the next pass comes within a minute\n',
    });
    expect((await rollNamed('workers')).wanted).toBe('paused');
    expect((await drover('roll pause workers')).out).toBe('roll workers: it is paused\n');
    await drover('roll resume workers');
    expect((await rollNamed('workers')).wanted).toBe('run');
    expect(JSON.parse((await drover('roll abort workers --json')).out)).toEqual({
      roll: 'workers',
      done: true,
    });
    expect((await rollNamed('workers')).wanted).toBe('aborted');
    expect(await drover('roll resume workers')).toMatchObject({
      code: 1,
      err: 'drover: roll workers does not resume: it is being aborted\n',
    });
  });

  it('a roll that paused because its template changed begins again only with --retarget', async () => {
    await see('paused', 'workers launches v3 instead of v2');
    changeTemplate(world);
    expect(await drover('roll resume workers')).toMatchObject({
      code: 1,
      err: expect.stringContaining('v3 instead of v2); --retarget begins again'),
    });
    const before = await rollNamed('workers');
    await world.timeline.pass(5);
    expect((await drover('roll resume workers --retarget')).code).toBe(0);
    const after = await rollNamed('workers');
    expect(after.startedAt).toBeGreaterThan(before.startedAt);
    expect(after.groups).toMatchObject([{ target: { main: { version: 3 } } }]);
  });

  it('a roll begins after the launch of all nodes that are there, also by a computer whose clock is an hour behind', async () => {
    const slow = { clock: { ...world.clock, now: () => world.clock.now() - 3_600_000 } };
    await drover('roll abort workers');
    await see('aborted');
    expect((await drover('roll workers', slow)).out).toContain('it replaces 2 nodes');
    expect((await rollNamed('workers')).startedAt).toBeGreaterThan(newestLaunch(world));
    await see('paused', 'workers launches v3 instead of v2');
    changeTemplate(world);
    // As the roll has launched until now: not of the version that it launches from now on.
    terminate(world, ids[0] ?? '');
    await world.timeline.pass(600);
    expect((await rollNamed('workers')).startedAt).toBeLessThan(newestLaunch(world));
    expect((await drover('roll resume workers --retarget', slow)).code).toBe(0);
    expect((await rollNamed('workers')).startedAt).toBeGreaterThan(newestLaunch(world));
  });

  it('an abort of someone else outranks a resume that still reads what the groups launch', async () => {
    await see('paused', 'workers launches v3 instead of v2');
    const calls: (() => void)[] = [];
    const resume = operatorOf(world, { onAwsCall: () => calls.shift()?.() });
    const store = { parameters: parametersOf(world), paths };
    const abort = () =>
      changeRoll(store, {
        name: 'workers',
        ask: () => Promise.resolve({ kind: 'abort' }),
        now: () => world.clock.now(),
      });
    // After the first read of the rolls.
    calls.push(
      () => undefined,
      () => void abort(),
    );
    expect(await resume('roll resume workers --retarget')).toMatchObject({
      code: 1,
      err: 'drover: roll workers does not resume: it is being aborted\n',
    });
    expect((await rollNamed('workers')).wanted).toBe('aborted');
  });

  it('a roll whose group has lost its tags does not begin again, and one that still has another does', async () => {
    const untag = (ResourceId: string) =>
      world.account.autoScaling.operations.DeleteTags({
        Tags: [{ Key: 'drover.dev/role', ResourceId, ResourceType: 'auto-scaling-group' }],
      });
    const before = await rollNamed('workers');
    untag('workers');
    expect(await drover('roll resume workers --retarget')).toMatchObject({
      code: 1,
      err: 'drover: roll workers cannot begin again: workers is not a managed group of the cluster any more: restore the tags (drover doctor), or end it with drover roll abort workers\n',
    });
    expect(await rollNamed('workers')).toEqual(before);
    for (const autoScalingGroupName of ['blue', 'green'])
      await withWorkers(world, { size: 1, autoScalingGroupName });
    await drover('roll blue green --name june --everything');
    untag('blue');
    expect(await drover('roll resume june --retarget')).toMatchObject({
      code: 0,
      err: 'warning: blue is not a managed group of the cluster any more, and left out from now on\n',
    });
    expect((await rollNamed('june')).groups.map((one) => one.autoScalingGroupName)).toEqual(['green']);
  });

  it('a roll that has stopped continues, unless another one has its groups', async () => {
    await see('stopped', 'three launches failed');
    await world.timeline.pass(5);
    await drover('roll workers --name other');
    expect(await drover('roll resume workers')).toMatchObject({
      code: 1,
      err: 'drover: roll workers does not resume: roll other replaces nodes of its groups now\n',
    });
    await see('done', 'all', 'other');
    expect((await drover('roll resume workers')).code).toBe(0);
    expect((await drover('roll list')).out).toMatch(/^workers +.* resuming +/m);
  });

  it('abort --wait ends once no node has a mark of the roll', async () => {
    const [node = ''] = nodesOf(world);
    await mark(node);
    world.clock.after(45_000, () => void see('aborted', 'all are released'));
    world.clock.after(90_000, () => void unmark(node));
    const began = world.clock.now();
    const { code, out } = await drover('roll abort workers --wait');
    expect(code).toBe(0);
    expect((world.clock.now() - began) / 1000).toBeGreaterThanOrEqual(90);
    expect(out).toContain('1 node with its taint or mark');
  });
});

describe('drover roll --wait', () => {
  it('prints each change until the roll is done', async () => {
    changeTemplate(world);
    world.clock.after(60_000, () => void see('running', 'the canary is launched'));
    world.clock.after(120_000, () => void see('done', 'all nodes are replaced'));
    const { code, out } = await drover('roll workers --wait');
    expect(code).toBe(0);
    expect(out).toMatch(
      /\nroll workers is starting: workers 2 old, 0 new, 0 leaving \(no pass .*\n(?:.*\n)*roll workers is running: .*\nroll workers is done: .*\(all nodes are replaced\)\n$/,
    );
  });

  it('fails with the reason if the roll stops', async () => {
    changeTemplate(world);
    world.clock.after(60_000, () => void see('stopped', 'three launches failed'));
    expect(await drover('roll workers --wait')).toMatchObject({
      code: 1,
      err: 'drover: roll workers is stopped: three launches failed\n',
    });
  });

  it('says at Ctrl-C and at the timeout that the roll goes on', async () => {
    changeTemplate(world);
    const interrupted = await drover('roll workers --wait', {
      onInterrupt: (listener) => {
        world.clock.after(30_000, listener);
        return () => undefined;
      },
    });
    expect(interrupted.code).toBe(130);
    expect(interrupted.err).toContain(
      'roll workers goes on without this command: drover roll status workers',
    );
    expect((await rollNamed('workers')).wanted).toBe('run');
    await see('done');
    const late = await drover('roll workers --wait --timeout 5m');
    expect(late.code).toBe(4);
    expect(late.err).toContain('no pass has seen roll workers for minutes');
    expect(late.err).toContain('the timeout has passed; roll workers goes on');
  });
});
