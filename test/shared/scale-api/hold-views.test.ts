import { describe, expect, it } from 'vitest';
import type { HoldChange } from '../../../shared/capacity/holds/change-holds.ts';
import type { Hold, HoldReading } from '../../../shared/capacity/holds/hold.ts';
import {
  holdResult,
  refusedHold,
  viewHold,
  viewHolds,
  viewPage,
} from '../../../shared/scale-api/hold-views.ts';
import { keyBefore } from '../../../shared/scale-api/paging.ts';
import { ProblemError } from '../../../shared/scale-api/problem.ts';
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

  it('is shown without the fields that it does not have', () => {
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

  it('have the state over after their end', () => {
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

const sale = {
  autoScalingGroupName: 'workers',
  name: 'sale',
  nodes: 6,
  until: Date.parse('2026-11-24T12:00:00Z'),
  raiseMaxSize: false,
};

function problemOf(change: HoldChange) {
  try {
    holdResult(change);
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
  throw new Error('it was answered');
}

describe('the answer to a change of a hold', () => {
  it.each([
    ['created', false, 201],
    ['created', true, 200],
    ['extended', false, 200],
    ['unchanged', false, 200],
  ] as const)('is the hold and the change: %s, dry run %s', (kind, dryRun, statusCode) => {
    const { body, ...rest } = holdResult({ kind, hold: sale }, { dryRun });
    expect(rest.statusCode).toBe(statusCode);
    expect(JSON.parse(body)).toEqual({ ...sale, until: '2026-11-24T12:00:00.000Z', change: kind });
  });

  it('is that of a real change by default', () => {
    expect(holdResult({ kind: 'created', hold: sale }).statusCode).toBe(201);
  });

  it('has no content if the hold was ended', () => {
    expect(holdResult({ kind: 'ended' })).toMatchObject({ statusCode: 204, body: '' });
  });

  it.each<[string, HoldChange, number, string]>([
    ['whose name is taken', { kind: 'taken', hold: sale }, 409, '6 nodes until 2026-11-24T12:00:00.000Z'],
    ['that is over', { kind: 'over', hold: sale }, 409, 'has ended'],
    ['that cannot be read', { kind: 'unreadable' }, 409, 'DELETE removes it'],
    ['that is not there', { kind: 'missing' }, 404, 'no hold with that name'],
  ])('is a problem with a remedy for a hold %s', (_, change, status, detail) => {
    expect(problemOf(change)).toMatchObject({ status, detail: expect.stringContaining(detail) });
  });
});

describe('a refused hold', () => {
  it.each([
    ['invalid', 422, 'invalid-hold'],
    ['etcd', 409, 'etcd-group'],
    ['out-of-bounds', 422, 'capacity-out-of-bounds'],
  ] as const)('of the cause %s is a problem of status %i with the reason', (cause, status, code) => {
    expect(refusedHold({ cause, reason: 'because' }).problem).toMatchObject({
      status,
      type: expect.stringMatching(`/${code}$`),
      detail: 'because',
    });
  });
});
