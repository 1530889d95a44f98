import { describe, expect, it } from 'vitest';
import {
  findLaunchingHook,
  findTerminatingHook,
  isManaged,
  roleOf,
  unitsOf,
  whyUnits,
} from '../../../shared/groups/group.ts';

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

  it('has a hook only for the transition of the hook, although both have one name', () => {
    const hookFor = (transition: 'launching' | 'terminating') => ({
      lifecycleHookName: 'drover',
      transition,
      heartbeatTimeoutSeconds: 300,
      globalTimeoutSeconds: 30_000,
      defaultResult: 'CONTINUE' as const,
    });
    const [launching, terminating] = [hookFor('launching'), hookFor('terminating')];
    expect(findTerminatingHook([launching], 'drover')).toBeUndefined();
    expect(findLaunchingHook([terminating], 'drover')).toBeUndefined();
    expect(findTerminatingHook([launching, terminating], 'drover')).toBe(terminating);
    expect(findLaunchingHook([terminating, launching], 'drover')).toBe(launching);
    expect(findTerminatingHook([terminating], 'Drover')).toBeUndefined();
    expect(findTerminatingHook(undefined, 'drover')).toBeUndefined();
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
