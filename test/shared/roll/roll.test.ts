import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  defaultBounds,
  formatRoll,
  formatSeen,
  type Roll,
  type RollSeen,
  readRoll,
  readSeen,
} from '../../../shared/roll/roll.ts';

const roll: Roll = {
  ...defaultBounds,
  name: 'june',
  groups: [
    {
      autoScalingGroupName: 'workers',
      target: { main: { templateId: 'lt-0123456789abcdef0', version: 3, imageId: 'ami-0123456789abcdef0' } },
    },
  ],
  criterion: { kind: 'changed' },
  startedAt: Date.parse('2026-11-29T08:00:00Z'),
  wanted: 'run',
  skipBlocked: false,
  by: 'ana',
};

const time = () => fc.integer({ min: 0, max: 4_000_000_000_000 });

describe('the parameters of a roll', () => {
  test('are read as they were written', () => {
    const criterion = fc.oneof(
      fc.constantFrom<Roll['criterion']>({ kind: 'changed' }, { kind: 'all' }),
      fc.record({ kind: fc.constant('older-than' as const), seconds: fc.nat(1_000_000) }),
      fc.constant<Roll['criterion']>({ kind: 'below', kubeletVersion: '1.34.2' }),
      fc.constant<Roll['criterion']>({ kind: 'named', instanceIds: ['i-0123456789abcdef0'] }),
    );
    const rolls = fc.record({
      criterion,
      resumedAt: time(),
      surge: fc.integer({ min: 1, max: 1000 }),
      startedAt: time(),
      wanted: fc.constantFrom('run' as const, 'paused' as const, 'aborted' as const),
      skipBlocked: fc.boolean(),
    });
    fc.assert(
      fc.property(rolls, (drawn) => {
        const whole = { ...roll, ...drawn };
        expect(readRoll(formatRoll(whole), 'june')).toEqual({ kind: 'read', value: whole });
      }),
    );
    const seen: RollSeen = {
      startedAt: 0,
      state: 'stopped',
      reason: 'why',
      since: 5000,
      told: ['roll-began'],
      unreadableUntil: 4000,
    };
    expect(readSeen(formatSeen(seen))).toEqual({ kind: 'read', value: seen });
  });

  test.each([
    ['text that is not JSON', 'no'],
    ['a later version', JSON.stringify({ ...JSON.parse(formatRoll(roll)), version: 2 })],
    ['no group', formatRoll({ ...roll, groups: [] })],
    ['a criterion that is not known', formatRoll({ ...roll, criterion: { kind: 'newer' } as never })],
    ['no room for a replacement', formatRoll({ ...roll, surge: 0 })],
  ])('are unreadable with %s', (_what, text) => {
    expect(readRoll(text, 'june')).toEqual({ kind: 'unreadable', why: expect.any(String) });
  });
});
