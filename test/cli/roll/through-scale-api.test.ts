import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { parametersOf } from '../../../local/world/holds.ts';
import { newVersion, putRoll } from '../../../local/world/rolls.ts';
import { create, heldDeployment } from '../../../local/world/workloads.ts';
import { askParameterOf, type Roll, readRoll } from '../../../shared/roll/roll.ts';
import { operatorOf } from '../operator.ts';
import { apiOperatorOf } from '../through-scale-api.ts';
import { paths, putSeen } from './support.ts';

let world: DroverWorld;
beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1 });
  putRoll(world, { workers: newVersion(world, 'ami-0000000000000new0') });
});

async function asked(name: string): Promise<Roll | undefined> {
  const reading = readRoll((await parametersOf(world).read(askParameterOf(paths, name))) ?? '', name);
  return reading.kind === 'read' ? reading.value : undefined;
}

const wanted = async (): Promise<string | undefined> => (await asked('june'))?.wanted;

describe('a change of a roll through the scale API', () => {
  it('is made as directly, and not in a dry run', async () => {
    const { drover } = apiOperatorOf(world);
    expect((await drover('roll pause june --api --dry-run')).out).toBe('would pause roll june\n');
    expect(await wanted()).toBe('run');
    expect(await drover('roll pause june --api')).toMatchObject({
      code: 0,
      out: 'roll june pauses: no further node is replaced, and one that leaves goes on\n',
    });
    expect(await wanted()).toBe('paused');
    expect((await drover('roll pause june --api')).out).toMatch(/^roll june: it is so already: /);
    expect((await drover('roll resume june --api')).code).toBe(0);
    expect(await wanted()).toBe('run');
    expect(JSON.parse((await drover('roll abort june --api --json')).out)).toEqual({
      roll: 'june',
      done: true,
    });
    expect(await wanted()).toBe('aborted');
  });

  it('fails with the reason of the API, and refuses to wait', async () => {
    const { drover } = apiOperatorOf(world);
    expect(await drover('roll pause july --api')).toMatchObject({ code: 1 });
    expect(await drover('roll abort june --api --wait')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--wait reads the Nodes'),
    });
    expect(await wanted()).toBe('run');
  });
});

describe('a roll that is begun through the scale API', () => {
  beforeEach(async () => {
    await withWorkers(world, { size: 2, autoScalingGroupName: 'others' });
    newVersion(world, 'ami-0000000000000new0', 'others');
  });

  it('asks for what the flags say, shows the preflight, and is not made in a dry run', async () => {
    const { drover } = apiOperatorOf(world);
    const line =
      'roll others --api --everything --surge 2 --bake 10m --skip-blocked --stop-on drover-dev-sweep-errors';
    const dry = await drover(`${line} --dry-run`);
    expect([dry.code, dry.err]).toEqual([0, '']);
    expect(dry.out).toMatch(
      /^GROUP +INSTANCES +OLD +LEFT OUT +TIME\nothers +2 +2 +0 [^]*\nOLD NODE [^]*\nnote: the first pass of the roll looks at the pods[^]*\nroll others would replace 2 nodes \(dry run\)\n$/,
    );
    expect(await asked('others')).toBeUndefined();
    const { code, out } = await drover(line);
    expect(code).toBe(0);
    expect(out).toMatch(
      /\nroll others has begun: it replaces 2 nodes; drover roll status others --api shows how far it is\n$/,
    );
    expect(await asked('others')).toMatchObject({
      groups: [{ autoScalingGroupName: 'others' }],
      criterion: { kind: 'all' },
      surge: 2,
      bakeSeconds: 600,
      stopOn: ['drover-dev-sweep-errors'],
      skipBlocked: true,
      by: 'arn:aws:iam::123456789012:user/pipeline',
    });
    expect((await drover(line)).out).toMatch(/^roll others asks for the same already: it is starting: /);
  });

  it('says so as JSON, and begins nothing if nothing is old', async () => {
    const { drover } = apiOperatorOf(world);
    const none = await drover('roll others --api --name august --older-than 30d --json');
    expect(JSON.parse(none.out)).toMatchObject({
      roll: 'august',
      done: false,
      change: 'nothing-old',
      old: [],
    });
    expect(await asked('august')).toBeUndefined();
    const begun = await drover('roll others --api --name july --json');
    expect(JSON.parse(begun.out)).toMatchObject({
      roll: 'july',
      done: true,
      change: 'begun',
      old: [{ autoScalingGroupName: 'others' }, {}],
      podsUnchecked: true,
    });
  });

  it.each([
    ['others --release-version 1.34.2-20261101', '--release-version'],
    ['others --template-version 7', '--template-version'],
    ['others --force', '--force'],
    ['others --wait', '--wait'],
    ['--all', '--all'],
    ['--instance i-0123456789abcdef0', 'give the groups'],
    ['others --cluster prod', '--cluster'],
  ])('refuses what the API cannot take: %s', async (flags, named) => {
    const { drover } = apiOperatorOf(world);
    expect(await drover(`roll ${flags} --api`)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(named),
    });
    expect(await asked('others')).toBeUndefined();
  });

  it('fails with what the API finds wrong', async () => {
    const { drover } = apiOperatorOf(world);
    expect(await drover('roll others --api --stop-on web-errros')).toMatchObject({
      code: 1,
      err: expect.stringContaining('CloudWatch has no alarm with this name'),
    });
    expect(await drover('roll misspelt --api')).toMatchObject({ code: 1 });
  });
});

describe('the state of rolls through the scale API', () => {
  it('is that of one, or of each that has not ended', async () => {
    const { drover } = apiOperatorOf(world);
    const direct = await operatorOf(world)('roll status june');
    expect(direct.out).toMatch(
      /^roll june is starting since 2026[^ ]+: no pass has seen it yet\nGROUP [^]*\nworkers +1 +0 +0 +0\n$/,
    );
    expect(await drover('roll status june --api')).toEqual(direct);
    expect(await drover('roll status --api')).toEqual(direct);
    expect(JSON.parse((await drover('roll status june --api --json')).out)).toMatchObject({
      name: 'june',
      state: 'starting',
      asked: { groups: ['workers'] },
      progress: { groups: [{ autoScalingGroupName: 'workers', old: 1 }], moving: [] },
    });
    const { startedAt = 0 } = (await asked('june')) ?? {};
    await putSeen(world, 'june', { startedAt, state: 'done', reason: 'x', since: startedAt, told: [] });
    expect((await drover('roll status --api')).out).toBe('no roll\n');
    expect((await drover('roll status june --api')).out).toContain('roll june is done');
  });

  it('shows the nodes that move, and what they wait for, as directly', async () => {
    await create(world, ...heldDeployment({ name: 'web', replicas: 2 }));
    await world.timeline.pass(20);
    const [member] = membersOf(world);
    if (member === undefined) throw new Error('there is no instance');
    terminate(world, member.InstanceId ?? '');
    await world.timeline.pass(60);
    const direct = await operatorOf(world)('roll status june');
    expect(direct.out).toMatch(/\nip-\S+ +workers +leaving +it waits for default\/web-\S+/);
    const { drover } = apiOperatorOf(world);
    expect(await drover('roll status june --api')).toEqual(direct);
  });

  it('is shown without nodes, and with a warning, if the API cannot list them', async () => {
    const { drover, machine } = apiOperatorOf(world);
    const send = machine.sendHttp;
    machine.sendHttp = async (request) => {
      const answer = await send(request);
      const { progress: _, ...body } = JSON.parse(answer.body);
      return { ...answer, body: JSON.stringify({ ...body, progressUnknown: 'no Nodes' }) };
    };
    expect(await drover('roll status june --api')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^roll june is starting since [^\n]*\n {2}of workers\n$/),
      err: 'warning: how far roll june is, is unknown: no Nodes\n',
    });
  });

  it('fails if there is no such roll, and refuses to wait', async () => {
    const { drover } = apiOperatorOf(world);
    expect(await drover('roll status july --api')).toMatchObject({ code: 1 });
    expect(await drover('roll status june --api --wait')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--wait reads the Nodes'),
    });
  });

  it('is listed as directly', async () => {
    const { drover } = apiOperatorOf(world);
    const direct = operatorOf(world);
    expect(await drover('roll list --api')).toEqual(await direct('roll list'));
    expect((await drover('roll list --api -o name')).out).toBe('june\n');
    const [mine, other] = [await drover('roll list --api -o json'), await direct('roll list -o json')].map(
      ({ out }) => JSON.parse(out)[0],
    );
    // What a group launched when the roll began is not in the answers of the API.
    expect({ ...other, groups: [{ autoScalingGroupName: 'workers' }] }).toEqual(mine);
  });
});
