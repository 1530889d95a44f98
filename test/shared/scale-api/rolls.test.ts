import { AwsError } from '@drover/cloud-sandbox/aws';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  askParameterOf,
  formatRoll,
  formatSeen,
  type Roll,
  type RollSeen,
  rollPathsOf,
  seenParameterOf,
} from '../../../shared/roll/roll.ts';
import { changedRoll, roll, rollList, rollStatus } from '../../../shared/scale-api/schemas/answers/roll.ts';
import { rollOf, startedAt } from '../roll/fixture.ts';
import { createScaleApiWorld } from './scale-api-world.ts';

const paths = rollPathsOf('drover');
let world: ReturnType<typeof createScaleApiWorld>;
beforeEach(() => {
  world = createScaleApiWorld();
});

const write = (Name: string, Value: string): void =>
  void world.ssm.operations.PutParameter({ Name, Value, Type: 'String', Overwrite: true }, {
    principal: { accountId: '123456789012', arn: 'arn:aws:iam::123456789012:user/me' },
    requestId: 'x',
  } as never);

const begin = (name: string, more: Partial<Roll> = {}): void =>
  write(askParameterOf(paths, name), formatRoll(rollOf(['workers'], { name, ...more })));

const see = (name: string, state: RollSeen['state']): void =>
  write(
    seenParameterOf(paths, name),
    formatSeen({ startedAt, state, reason: 'because', since: startedAt, told: [] }),
  );

const patch = (name: string, wanted: string, query = '') =>
  world.send('PATCH', `/rolls/${name}${query}`, { body: JSON.stringify({ wanted }) });

describe('GET of rolls', () => {
  it('shows each by name over all pages, also one that cannot be read', async () => {
    for (const name of ['b', 'a']) begin(name);
    write(askParameterOf(paths, 'odd'), 'six');
    const list = async (query: string) => rollList.parse((await world.send('GET', `/rolls${query}`)).body);
    const first = await list('?limit=2');
    expect(first.rolls.map(({ name, state }) => [name, state])).toEqual([
      ['a', 'starting'],
      ['b', 'starting'],
    ]);
    expect((await list(`?cursor=${first.nextCursor}`)).rolls).toEqual([
      { name: 'odd', state: 'unreadable', reason: expect.any(String) },
    ]);
  });

  it('shows one with what was asked, and no other', async () => {
    begin('june', { window: 'Mon-Fri 09:00-16:00', by: 'ana' });
    see('june', 'running');
    expect(roll.parse((await world.send('GET', '/rolls/june')).body)).toMatchObject({
      state: 'running',
      reason: 'because',
      asked: {
        groups: ['workers'],
        wanted: 'run',
        criterion: { kind: 'changed' },
        window: 'Mon-Fri 09:00-16:00',
        by: 'ana',
      },
    });
    for (const name of ['july', 'a%2Fb'])
      expect(await world.send('GET', `/rolls/${name}`)).toMatchObject({ status: 404 });
  });
});

describe('how far a roll is', () => {
  it('is unknown while the Nodes cannot be listed, and its state is shown all the same', async () => {
    begin('june');
    world.cluster.failure = new Error('no route');
    const body = rollStatus.parse((await world.send('GET', '/rolls/june')).body);
    expect(body).toMatchObject({ state: 'starting', asked: { groups: ['workers'] } });
    expect(body.progressUnknown).toContain('the log of scale-api says why');
    expect(body.progress).toBeUndefined();
  });

  it.each(['DescribeAutoScalingGroups', 'DescribeInstances'])(
    'is unknown while %s is denied, and its state is shown all the same',
    async (denied) => {
      begin('june');
      world.faults.push(({ operation }) =>
        operation === denied
          ? new AwsError({ code: 'AccessDenied', message: 'no', statusCode: 403 })
          : undefined,
      );
      const body = rollStatus.parse((await world.send('GET', '/rolls/june')).body);
      expect(body).toMatchObject({ state: 'starting', asked: { groups: ['workers'] } });
      expect(body.progressUnknown).toMatch(/^the groups of the roll and their instances: /);
      expect(body.progress).toBeUndefined();
    },
  );

  it('has nothing of a group that is not managed any more, and is not asked of a roll that cannot be read', async () => {
    write(askParameterOf(paths, 'june'), formatRoll(rollOf(['gone'], { name: 'june' })));
    write(askParameterOf(paths, 'odd'), 'six');
    const body = rollStatus.parse((await world.send('GET', '/rolls/june')).body);
    expect(body.progress).toEqual({
      groups: [{ autoScalingGroupName: 'gone', old: 0, fresh: 0, leaving: 0, leftOut: [] }],
      moving: [],
      warnings: [],
    });
    expect(rollStatus.parse((await world.send('GET', '/rolls/odd')).body)).not.toHaveProperty('progress');
  });
});

describe('PATCH of a roll', () => {
  beforeEach(() => {
    begin('june');
    see('june', 'running');
  });

  it('pauses, resumes and aborts it; a dry run does not', async () => {
    const stateAfter = async (wanted: string, query = ''): Promise<string> =>
      changedRoll.parse((await patch('june', wanted, query)).body).state;
    expect(await stateAfter('paused', '?dryRun=true')).toBe('pausing');
    expect(roll.parse((await world.send('GET', '/rolls/june')).body).state).toBe('running');
    expect(await stateAfter('paused')).toBe('pausing');
    expect((await patch('june', 'paused')).body).toMatchObject({ change: 'unchanged' });
    expect(await stateAfter('run')).toBe('running');
    expect(await stateAfter('aborted')).toBe('aborting');
  });

  it('logs who has asked for it', async () => {
    await patch('june', 'paused');
    expect(world.lines.filter((line) => line.includes('pause roll')).join()).toContain('user/operator');
  });

  it('is refused once the roll has ended, or if there is none', async () => {
    see('june', 'done');
    expect(await patch('june', 'run')).toMatchObject({
      status: 409,
      body: { detail: 'roll june: it has ended: because' },
    });
    expect(await patch('july', 'run')).toMatchObject({ status: 404 });
    expect(await patch('june', 'faster')).toMatchObject({ status: 422 });
  });
});
