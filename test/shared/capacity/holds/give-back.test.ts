import { describe, expect, it } from 'vitest';
import { shallGiveBack } from '../../../../shared/capacity/holds/give-back.ts';
import type { GroupHolds } from '../../../../shared/capacity/holds/read-holds.ts';
import type { AutoScalingGroup } from '../../../../shared/groups/group.ts';

const now = Date.parse('2026-11-24T12:00:00Z');

const group = (changes: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: { 'drover.dev/role': 'worker', 'drover.dev/give-back-empty': 'true' },
  minSize: 1,
  maxSize: 9,
  desiredCapacity: 4,
  instances: [],
  targetGroupArns: [],
  retainsAbandoned: false,
  ...changes,
});

const record = (secondsAgo: number): GroupHolds['record'] => ({
  kind: 'record',
  record: {
    minSize: { base: 1, ours: [] },
    maxSize: { base: 9, ours: [] },
    changedAt: now - secondsAgo * 1000,
  },
});

const hold = (until: number): GroupHolds['holds'][number] => ({
  kind: 'hold',
  hold: { autoScalingGroupName: 'workers', name: 'sale', nodes: 4, until, raiseMaxSize: false },
});

const facts = (changes: Partial<GroupHolds> = {}) => ({ holds: [], record: record(60), now, ...changes });

describe('empty nodes', () => {
  it('are given back for an hour after the last hold, also while its parameter is there', () => {
    expect(shallGiveBack(group(), facts())).toBe(true);
    expect(shallGiveBack(group(), facts({ holds: [hold(now - 1)] }))).toBe(true);
    expect(shallGiveBack(group(), facts({ record: record(3599) }))).toBe(true);
    expect(shallGiveBack(group(), facts({ record: record(3600) }))).toBe(false);
  });

  it.each([
    ['a hold stands', group(), facts({ holds: [hold(now + 1)] })],
    [
      'a hold cannot be read',
      group(),
      facts({ holds: [{ kind: 'unreadable', autoScalingGroupName: 'workers', name: 'a', why: 'no JSON' }] }),
    ],
    ['there is no record', group(), facts({ record: { kind: 'none' } })],
    ['MinSize is not the base yet', group({ minSize: 4, desiredCapacity: 5 }), facts()],
    ['the desired capacity is MinSize', group({ desiredCapacity: 1 }), facts()],
    ['the group counts units of capacity', group({ countsUnits: true }), facts()],
    ['the group does not ask for it', group({ tags: { 'drover.dev/role': 'worker' } }), facts()],
  ])('are not given back where %s', (_, held, known) => {
    expect(shallGiveBack(held, known)).toBe(false);
  });
});
