import { describe, expect, it } from 'vitest';
import {
  bySchedule,
  formatHold,
  type Hold,
  isActive,
  isOfSchedule,
  readHold,
  scheduleOf,
} from '../../../../shared/capacity/holds/hold.ts';
import { hour, start } from './fixtures.ts';

const place = { autoScalingGroupName: 'workers', name: 'sale' };
const hold: Hold = { ...place, nodes: 3, until: start + hour, raiseMaxSize: false };
const text = { version: 1, nodes: 3, until: '2026-11-23T09:00:00.000Z' };
const read = (changes: object) => readHold(JSON.stringify({ ...text, ...changes }), place);

describe('the text of a hold', () => {
  it('has only the fields of the hold', () => {
    expect(JSON.parse(formatHold(hold))).toEqual(text);
    const whole: Hold = { ...hold, raiseMaxSize: true, createdAt: start, endedAt: start + 1000, by: 'ana' };
    expect(JSON.parse(formatHold(whole))).toEqual({
      ...text,
      raiseMaxSize: true,
      createdAt: '2026-11-23T08:00:00.000Z',
      endedAt: '2026-11-23T08:00:01.000Z',
      by: 'ana',
    });
    expect(readHold(formatHold(whole), place)).toEqual({ kind: 'hold', hold: whole });
  });

  it('is read without fields that it does not have', () => {
    expect(read({})).toStrictEqual({ kind: 'hold', hold });
  });

  it.each([
    { nodes: 1 },
    { nodes: 10_000 },
    { until: '2026-11-23T09:00:00+01:00', createdAt: '2026-11-23T09:00:00+01:00' },
    { endedAt: '2026-11-23T09:00:00+01:00' },
    { by: 'x'.repeat(512) },
    { note: 'a field that is not known' },
  ])('is read with %j', (changes) => {
    expect(read(changes).kind).toBe('hold');
  });

  it.each([
    ['version', { version: 3 }],
    ['pods', { version: 2 }],
    ['nodes', { nodes: 0 }],
    ['nodes', { nodes: 10_001 }],
    ['nodes', { nodes: 1.5 }],
    ['until', { until: '2026-11-23T09:00:00' }],
    ['raiseMaxSize', { raiseMaxSize: 'yes' }],
    ['createdAt', { createdAt: 'today' }],
    ['endedAt', { endedAt: 'today' }],
    ['by', { by: 'x'.repeat(513) }],
  ])('cannot be read with a wrong %s', (field, changes) => {
    expect(read(changes)).toEqual({ kind: 'unreadable', ...place, why: expect.stringContaining(field) });
  });
});

describe('a hold', () => {
  it('is active until its end, or until it is ended', () => {
    expect(isActive(hold, start + hour - 1)).toBe(true);
    expect(isActive(hold, start + hour)).toBe(false);
    expect(isActive({ ...hold, endedAt: start }, start)).toBe(false);
  });

  it.each([
    ['a schedule', bySchedule('office-hours'), 'office-hours'],
    ['a user', 'ana', undefined],
    ['a user whose name contains the word', 'a schedule x', undefined],
    ['a user whose name begins with the word', 'scheduler', undefined],
  ])('that %s made has this schedule: %s', (_, by, name) => {
    expect(scheduleOf({ ...hold, by })).toBe(name);
    expect(isOfSchedule({ ...hold, by })).toBe(name !== undefined);
  });

  it('without a known maker has no schedule', () => {
    expect(scheduleOf(hold)).toBeUndefined();
    expect(isOfSchedule(hold)).toBe(false);
  });
});
