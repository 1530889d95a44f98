import { describe, expect, it } from 'vitest';
import type { HoldChange } from '../../../shared/capacity/holds/change-holds.ts';
import { holdResult, refusedHold } from '../../../shared/scale-api/hold-results.ts';
import { ProblemError } from '../../../shared/scale-api/problem.ts';

const hold = {
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
    const { body, ...rest } = holdResult({ kind, hold }, { dryRun });
    expect(rest.statusCode).toBe(statusCode);
    expect(JSON.parse(body)).toEqual({ ...hold, until: '2026-11-24T12:00:00.000Z', change: kind });
  });

  it('is no dry run where nothing says so', () => {
    expect(holdResult({ kind: 'created', hold }).statusCode).toBe(201);
  });

  it('has no content where the hold was ended', () => {
    expect(holdResult({ kind: 'ended' })).toMatchObject({ statusCode: 204, body: '' });
  });

  it.each<[string, HoldChange, number, string]>([
    ['whose name is taken', { kind: 'taken', hold }, 409, '6 nodes until 2026-11-24T12:00:00.000Z'],
    ['that is over', { kind: 'over', hold }, 409, 'has ended'],
    ['that cannot be read', { kind: 'unreadable' }, 409, 'DELETE removes it'],
    ['that is not there', { kind: 'missing' }, 404, 'no hold of that name'],
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
