import { createSsmFixture } from '@drover/cloud-sandbox/test/aws/support/parameter-fixture.ts';
import { describe, expect, it } from 'vitest';
import { ssmClient } from '../../../shared/aws/clients.ts';
import { createPlainParameters } from '../../../shared/aws/parameters.ts';
import {
  type BeginResult,
  beginRoll,
  changeRoll,
  planChange,
  type RollParameters,
  type RollStore,
} from '../../../shared/roll/change-roll.ts';
import type { Roll, RollSeen } from '../../../shared/roll/roll.ts';
import {
  askParameterOf,
  formatRoll,
  formatSeen,
  readRoll,
  rollPathsOf,
  seenParameterOf,
} from '../../../shared/roll/roll.ts';
import { hasEnded, rollStateOf, type StoredRoll } from '../../../shared/roll/rolls-in.ts';
import { rollOf, startedAt } from './fixture.ts';

const hour = 3_600_000;
const stoppedAt = startedAt + hour;
const seen: RollSeen = { startedAt, state: 'stopped', reason: 'an alarm', since: stoppedAt, told: [] };

const stored = (roll: Roll, more: Partial<StoredRoll> = {}): StoredRoll => ({
  name: roll.name,
  ask: { kind: 'read', value: roll },
  ...more,
});

describe('a computer whose clock is an hour behind', () => {
  const now = stoppedAt - hour;

  it('resumes a roll that has stopped', () => {
    const change = planChange(stored(rollOf(), { seen }), { kind: 'resume' }, { now, rolls: [] });
    if (change.kind !== 'changed') throw new Error(change.why);
    expect(hasEnded(stored(change.roll, { seen }))).toBe(false);
    expect(rollStateOf(stored(change.roll, { seen })).state).toBe('resuming');
  });

  it('begins a roll again later than it began, so that the nodes of the first time may be old', () => {
    const asked = { kind: 'retarget', groups: rollOf().groups } as const;
    const change = planChange(stored(rollOf()), asked, { now: startedAt - hour, rolls: [] });
    if (change.kind !== 'changed') throw new Error(change.why);
    expect(change.roll.startedAt).toBeGreaterThan(startedAt);
  });
});

describe('a roll that begins again', () => {
  it('does not if it runs with what its groups launch already, as after a request that is repeated', () => {
    const asked = { kind: 'retarget', groups: rollOf().groups } as const;
    expect(planChange(stored(rollOf()), asked, { now: startedAt + 1, rolls: [] }).kind).toBe('unchanged');
    const paused = stored(rollOf(['workers'], { wanted: 'paused' }));
    expect(planChange(paused, asked, { now: startedAt + 1, rolls: [] }).kind).toBe('changed');
  });

  it('does not wait for the time of an earlier resume, whose clock was ahead', () => {
    const asked = { kind: 'retarget', groups: rollOf().groups } as const;
    const resumed = stored(rollOf(['workers'], { resumedAt: startedAt + 2 * hour }));
    const change = planChange(resumed, asked, { now: startedAt + hour, rolls: [] });
    if (change.kind !== 'changed') throw new Error(change.why);
    expect(change.roll).toMatchObject({ startedAt: startedAt + hour });
    expect(change.roll).not.toHaveProperty('resumedAt');
  });
});

describe('the begin of a roll', () => {
  const begin = async (more: Partial<Roll>) => {
    const written: string[] = [];
    const parameters = {
      read: () => Promise.resolve(undefined),
      readVersion: () => Promise.resolve(undefined),
      listBelow: () => Promise.resolve(new Map<string, string>()),
      create: (name: string) => Promise.resolve(written.push(name) > 0),
      replace: () => Promise.reject(new Error('nothing is there')),
      write: () => Promise.reject(new Error('a roll is created')),
      remove: () => Promise.reject(new Error('nothing is there')),
    };
    return {
      result: await beginRoll({ parameters, paths: rollPathsOf('demo') }, rollOf(['workers'], more)),
      written,
    };
  };

  it.each<[string, Partial<Roll>]>([
    [
      'a window of more than 128 characters',
      { window: Array.from({ length: 20 }, () => '9:00-10:00').join(';') },
    ],
    ['more than ten alarms', { stopOn: Array.from({ length: 11 }, (_, index) => `alarm-${index}`) }],
  ])('is refused with %s, which no pass would understand', async (_, more) => {
    const { result, written } = await begin(more);
    expect(result.kind).toBe('invalid');
    expect(written).toEqual([]);
  });

  it('writes one that is understood', async () => {
    const { result, written } = await begin({ window: '9:00-10:00' });
    expect(result.kind).toBe('begun');
    expect(written).toEqual(['/drover/demo/rolls/june/ask']);
  });
});

it('a begin whose answer was lost, and that the client repeats, has begun', async () => {
  const parameters = createPlainParameters(ssmClient(createSsmFixture().connection));
  const repeating: RollParameters = {
    ...parameters,
    create: async (...input) => (await parameters.create(...input), await parameters.create(...input)),
  };
  const paths = rollPathsOf('demo');
  expect(await beginRoll({ parameters: repeating, paths }, rollOf())).toEqual({ kind: 'begun' });
  expect(await parameters.read(askParameterOf(paths, 'june'))).toBe(formatRoll(rollOf()));
});

it('a begin that hears of a roll which it never reads ends after three tries', async () => {
  const parameters = createPlainParameters(ssmClient(createSsmFixture().connection));
  let tries = 0;
  const stale: RollParameters = {
    ...parameters,
    readVersion: () => Promise.resolve(undefined),
    create: () => {
      tries += 1;
      return Promise.resolve(false);
    },
  };
  const store = { parameters: stale, paths: rollPathsOf('demo') };
  await expect(beginRoll(store, rollOf())).rejects.toThrow('changes at this moment: ask again');
  expect(tries).toBe(3);
});

describe('two callers that begin a roll under one name', () => {
  const paths = rollPathsOf('demo');
  const parameter = askParameterOf(paths, 'june');
  const later = (by: string): Roll => rollOf(['workers'], { startedAt: startedAt + hour, by });

  /** Begins a roll; another caller begins one before the first write of this one. */
  async function beginBeside(before: 'nothing' | 'an ended roll') {
    const parameters = createPlainParameters(ssmClient(createSsmFixture().connection));
    if (before === 'an ended roll') {
      await parameters.write(parameter, formatRoll(rollOf()));
      await parameters.write(seenParameterOf(paths, 'june'), formatSeen({ ...seen, state: 'done' }));
    }
    let faster: Promise<BeginResult> | undefined;
    const beginFaster = () => (faster ??= beginRoll({ parameters, paths }, later('faster')));
    const slow: RollParameters = {
      ...parameters,
      create: async (...input) => (await beginFaster(), await parameters.create(...input)),
      replace: async (...input) => (await beginFaster(), await parameters.replace(...input)),
    };
    const slower = await beginRoll({ parameters: slow, paths }, later('slower'));
    return { slower, faster: await faster, text: await parameters.read(parameter) };
  }

  it.each(['nothing', 'an ended roll'] as const)(
    'with %s before them are one that has begun it, and one that finds it taken',
    async (before) => {
      const { slower, faster, text } = await beginBeside(before);
      expect(faster).toEqual({ kind: 'begun' });
      expect(slower).toMatchObject({ kind: 'taken', stored: { ask: { value: { by: 'faster' } } } });
      expect(text).toBe(formatRoll(later('faster')));
    },
  );
});

describe('a change of a roll that someone else changes meanwhile', () => {
  const paths = rollPathsOf('demo');
  const parameter = askParameterOf(paths, 'june');

  /** Asks this of a roll; before each write of it, the other caller is faster. */
  async function changeBeside(
    kind: 'pause' | 'resume',
    {
      state,
      other,
    }: { readonly state: 'running' | 'stopped'; readonly other: (store: RollStore) => unknown },
  ) {
    const parameters = createPlainParameters(ssmClient(createSsmFixture().connection));
    await parameters.write(parameter, formatRoll(rollOf()));
    await parameters.write(seenParameterOf(paths, 'june'), formatSeen({ ...seen, state }));
    const slow: RollParameters = {
      ...parameters,
      replace: async (...input) => {
        await other({ parameters, paths });
        return await parameters.replace(...input);
      },
    };
    const result = await changeRoll(
      { parameters: slow, paths },
      { name: 'june', ask: () => Promise.resolve({ kind }), now: () => stoppedAt + hour },
    );
    return { result, left: readRoll((await parameters.read(parameter)) ?? '', 'june') };
  }

  it('does not pause one that was aborted', async () => {
    const other = (store: RollStore) =>
      changeRoll(store, {
        name: 'june',
        ask: () => Promise.resolve({ kind: 'abort' }),
        now: () => stoppedAt + hour,
      });
    const { result, left } = await changeBeside('pause', { state: 'running', other });
    expect(result).toEqual({ kind: 'refused', why: 'it is being aborted' });
    expect(left).toEqual({ kind: 'read', value: rollOf(['workers'], { wanted: 'aborted' }) });
  });

  it('never overwrites an abort that came while it read what the groups launch', async () => {
    const parameters = createPlainParameters(ssmClient(createSsmFixture().connection));
    await parameters.write(parameter, formatRoll(rollOf()));
    const aborted = formatRoll(rollOf(['workers'], { wanted: 'aborted' }));
    let reads = 0;
    const result = await changeRoll(
      { parameters, paths },
      {
        name: 'june',
        ask: async () => {
          if ((reads += 1) === 1) await parameters.write(parameter, aborted);
          return { kind: 'retarget', groups: [] };
        },
        now: () => stoppedAt,
      },
    );
    expect(result).toEqual({ kind: 'refused', why: 'it is being aborted' });
    expect(await parameters.readVersion(parameter)).toEqual({ text: aborted, version: 2 });
  });

  it('does not resume one whose name was begun again', async () => {
    const second = rollOf(['workers'], { startedAt: stoppedAt + hour, by: 'faster' });
    const other = (store: RollStore) => beginRoll(store, second);
    const { result, left } = await changeBeside('resume', { state: 'stopped', other });
    expect(result).toMatchObject({ kind: 'unchanged', why: 'it runs' });
    expect(left).toEqual({ kind: 'read', value: second });
  });

  it('pauses what the other one has made of it', async () => {
    const wider = { surge: 3 };
    let changes = 0;
    const other = async ({ parameters }: RollStore) =>
      (changes += 1) === 1 && (await parameters.write(parameter, formatRoll(rollOf(['workers'], wider))));
    const { result, left } = await changeBeside('pause', { state: 'running', other });
    expect(result.kind).toBe('changed');
    expect(left).toEqual({ kind: 'read', value: rollOf(['workers'], { ...wider, wanted: 'paused' }) });
  });

  it('says so if others are faster each time', async () => {
    let changes = 0;
    const other = ({ parameters }: RollStore) =>
      parameters.write(parameter, formatRoll(rollOf(['workers'], { surge: (changes += 1) })));
    const { result, left } = await changeBeside('pause', { state: 'running', other });
    expect(result).toEqual({ kind: 'refused', why: 'others change it at this moment: ask again' });
    expect(left).toEqual({ kind: 'read', value: rollOf(['workers'], { surge: 3 }) });
  });
});
