import { describe, expect, it } from 'vitest';
import { isManaged, roleOf, unitsOf, whyUnits } from '../../../shared/groups/group.ts';

const tagged = (ownership: string, role?: string) => ({
  tags: { 'kubernetes.io/cluster/drover': ownership, ...(role !== undefined && { 'drover.dev/role': role }) },
});

describe('a group', () => {
  it.each([
    ['owned', 'worker', true],
    ['shared', 'etcd', true],
    ['owned', 'control-plane', true],
    ['true', 'worker', false],
    ['owned', 'Worker', false],
    ['owned', undefined, false],
  ])('that is %s with role %s is managed: %s', (ownership, role, managed) => {
    expect(isManaged(tagged(ownership, role), 'drover')).toBe(managed);
  });

  it('of another cluster is not managed, whatever its role', () => {
    expect(isManaged(tagged('owned', 'worker'), 'other')).toBe(false);
    expect(isManaged({ tags: { 'drover.dev/role': 'worker' } }, 'drover')).toBe(false);
  });

  it('has the role of its tag, or none', () => {
    expect(['worker', 'control-plane', 'etcd', 'king'].map((role) => roleOf(tagged('owned', role)))).toEqual([
      'worker',
      'control-plane',
      'etcd',
      undefined,
    ]);
  });
});

it('instances are their number of units, or the sum of their weights', () => {
  expect(unitsOf([])).toBe(0);
  expect(unitsOf([{}, {}])).toBe(2);
  expect(unitsOf([{ weight: 3 }, {}, { weight: 2 }])).toBe(6);
});

it('only a group that counts units has no size in nodes', () => {
  expect(whyUnits({})).toBeUndefined();
  expect(whyUnits({ countsUnits: true })).toContain('no size in nodes');
});
