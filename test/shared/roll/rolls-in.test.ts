import { describe, expect, it } from 'vitest';
import {
  askParameterOf,
  formatRoll,
  formatSeen,
  type RollSeen,
  rollPathsOf,
  seenParameterOf,
} from '../../../shared/roll/roll.ts';
import { hasEnded, rollStateOf, rollsIn, rollWith } from '../../../shared/roll/rolls-in.ts';
import { rollOf, startedAt } from './fixture.ts';

const paths = rollPathsOf('demo');
const roll = rollOf();

const seenAs = (state: RollSeen['state'], more: Partial<RollSeen> = {}): string =>
  formatSeen({ startedAt, state, reason: 'because', since: startedAt, told: [], ...more });

const stored = (ask: string, seen?: string) =>
  rollsIn(
    new Map([
      [askParameterOf(paths, 'june'), ask],
      ...(seen === undefined ? [] : [[seenParameterOf(paths, 'june'), seen] as const]),
    ]),
    paths,
  );

describe('the parameters of rolls', () => {
  it('are rolls by name; a seen that has lost its ask is none', () => {
    const texts = new Map([
      [askParameterOf(paths, 'b'), formatRoll(roll)],
      [seenParameterOf(paths, 'gone'), seenAs('done')],
      [askParameterOf(paths, 'a'), formatRoll(roll)],
    ]);
    expect(rollsIn(texts, paths).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it.each(['june-', 'a b', 'a'.repeat(64)])(
    'of the name %j are reported, because no Node takes its taint',
    (name) => {
      const [one] = rollsIn(new Map([[askParameterOf(paths, name), formatRoll(roll)]]), paths);
      expect(one && rollStateOf(one)).toEqual({
        state: 'unreadable',
        reason: 'its name cannot be the value of a taint: delete its parameters',
      });
    },
  );

  it('say nothing of a roll of the same name that began later', () => {
    const [one] = stored(formatRoll(roll), seenAs('done', { startedAt: startedAt - 1 }));
    expect(one && hasEnded(one)).toBe(false);
    expect(one && rollStateOf(one).state).toBe('starting');
  });
});

describe('the state of a roll', () => {
  const stateOf = (wanted: 'run' | 'paused' | 'aborted', state?: RollSeen['state']) => {
    const [one] = stored(formatRoll({ ...roll, wanted }), state && seenAs(state));
    return one && rollStateOf(one).state;
  };

  it.each([
    ['run', undefined, 'starting'],
    ['run', 'running', 'running'],
    ['run', 'paused', 'paused'],
    ['run', 'stopped', 'stopped'],
    ['run', 'done', 'done'],
    ['paused', 'running', 'pausing'],
    ['paused', 'paused', 'paused'],
    ['paused', 'done', 'done'],
    ['aborted', undefined, 'aborting'],
    ['aborted', 'running', 'aborting'],
    ['aborted', 'aborted', 'aborted'],
  ] as const)('asked to %s and seen as %s is %s', (wanted, seen, state) => {
    expect(stateOf(wanted, seen)).toBe(state);
  });

  it('is unreadable, and has not ended, with an ask that Drover has not written', () => {
    const [one] = stored('{}', seenAs('done'));
    expect(one && rollStateOf(one)).toMatchObject({ state: 'unreadable' });
    expect(one && hasEnded(one)).toBe(false);
  });
});

it('a stopped roll has ended until people ask it to continue', () => {
  const [ended] = stored(formatRoll(roll), seenAs('stopped'));
  expect(ended && [hasEnded(ended), rollStateOf(ended).state]).toEqual([true, 'stopped']);
  const [resumed] = stored(formatRoll({ ...roll, resumedAt: startedAt + 1000 }), seenAs('stopped'));
  expect(resumed && [hasEnded(resumed), rollStateOf(resumed).state]).toEqual([false, 'resuming']);
});

it('a group is in a roll until the roll has ended', () => {
  expect(rollWith('workers', stored(formatRoll(roll), seenAs('running')))).toBe('june');
  expect(rollWith('workers', stored(formatRoll(roll), seenAs('stopped')))).toBeUndefined();
  expect(rollWith('others', stored(formatRoll(roll)))).toBeUndefined();
});
