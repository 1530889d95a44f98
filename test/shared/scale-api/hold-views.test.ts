import { describe, expect, it } from 'vitest';
import type { Hold, HoldReading } from '../../../shared/capacity/holds/hold.ts';
import { viewHold, viewHolds, viewPage } from '../../../shared/scale-api/hold-views.ts';
import { keyBefore } from '../../../shared/scale-api/key-pages.ts';
import { groupWith, nodeOf, seen } from '../capacity/fixtures.ts';

const now = Date.parse('2026-11-24T08:00:00Z');
const hold = (changes: Partial<Hold> = {}): Hold => ({
  autoScalingGroupName: 'workers',
  name: 'sale',
  nodes: 1,
  until: now + 3_600_000,
  raiseMaxSize: false,
  ...changes,
});
const shown = {
  autoScalingGroupName: 'workers',
  name: 'sale',
  nodes: 1,
  until: '2026-11-24T09:00:00.000Z',
  raiseMaxSize: false,
};

describe('a hold', () => {
  it('is shown with its times as text', () => {
    expect(viewHold(hold({ createdAt: now, endedAt: now + 60_000, by: 'ana', raiseMaxSize: true }))).toEqual({
      ...shown,
      raiseMaxSize: true,
      createdAt: '2026-11-24T08:00:00.000Z',
      endedAt: '2026-11-24T08:01:00.000Z',
      by: 'ana',
    });
  });

  it('is shown without what it does not have', () => {
    expect(Object.keys(viewHold(hold()))).toEqual(Object.keys(shown));
  });
});

describe('holds', () => {
  const facts = { groups: [groupWith(['InService'])], nodes: seen(nodeOf(1)), now };
  const view = (...readings: readonly HoldReading[]) => viewHolds(readings, facts);
  const reading = (changes: Partial<Hold> = {}): HoldReading => ({ kind: 'hold', hold: hold(changes) });

  it('are shown with their state in their own group', () => {
    expect(view(reading(), reading({ autoScalingGroupName: 'workers-2' }))).toEqual([
      { ...shown, state: 'met', reason: '1 node is Ready' },
      {
        ...shown,
        autoScalingGroupName: 'workers-2',
        state: 'waiting',
        reason: 'there is no such managed group',
      },
    ]);
  });

  it('are over after their end', () => {
    expect(view(reading({ until: now }))).toMatchObject([{ state: 'over' }]);
  });

  it('that cannot be read are shown with the reason', () => {
    const place = { autoScalingGroupName: 'workers', name: 'odd' };
    expect(view({ kind: 'unreadable', ...place, why: 'nodes: expected number' })).toEqual([
      { ...place, state: 'unreadable', reason: 'nodes: expected number' },
    ]);
  });

  it('are paged by group, then by name', () => {
    const sorted = [
      { autoScalingGroupName: 'a', name: 'z' },
      { autoScalingGroupName: 'a-2', name: 'a' },
      { autoScalingGroupName: 'b', name: 'x' },
      { autoScalingGroupName: 'b', name: 'y' },
    ];
    const odd: HoldReading = { kind: 'unreadable', autoScalingGroupName: 'a', name: 'zz', why: 'no JSON' };
    const readings = [...sorted.toReversed().map(reading), odd];
    const first = viewPage(readings, { ...facts, after: '', limit: 3 });
    expect(first.holds).toMatchObject([sorted[0], { name: 'zz', state: 'unreadable' }, sorted[1]]);
    const after = keyBefore({ cursor: first.nextCursor ?? '' });
    const second = viewPage(readings, { ...facts, after, limit: 3 });
    expect(second.holds).toMatchObject(sorted.slice(2));
    expect(Object.keys(second)).toEqual(['holds']);
  });
});
