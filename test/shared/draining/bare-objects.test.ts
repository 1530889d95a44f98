import { describe, expect, it } from 'vitest';
import { budgetsHolding, budgetsOf } from '../../../shared/draining/budgets.ts';
import {
  controllerOf,
  identityOf,
  isDaemonSetPod,
  isFinished,
  isMirrorPod,
  isReady,
  onlyFinalizersRemain,
  ownGraceSeconds,
  terminatesAt,
  usesEmptyDir,
  workloadOf,
} from '../../../shared/draining/pod-facts.ts';
import { budget, pod } from '../../support/pods.ts';

describe('a pod of which only the kind is known', () => {
  it('is in namespace default, nobody’s, not ready, not on its way, with the usual grace', () => {
    expect(identityOf({})).toEqual({ namespace: 'default', name: '', uid: '' });
    expect(controllerOf({})).toBeUndefined();
    expect(terminatesAt({})).toBeUndefined();
    expect(ownGraceSeconds({})).toBe(30);
    expect(workloadOf({})).toBe('/unready');
  });

  it.each([isFinished, isDaemonSetPod, isMirrorPod, usesEmptyDir, isReady, onlyFinalizersRemain])(
    'is not what %o looks for',
    (is) => {
      expect(is({})).toBe(false);
    },
  );

  it('is held by a budget of its namespace that takes every pod', () => {
    const all = budget({ namespace: 'default', status: { currentHealthy: 0 } });
    expect(budgetsHolding({}, [all])).toEqual(['web']);
    expect(
      budgetsHolding({}, [budget({ namespace: 'default', selector: { matchLabels: { a: 'b' } } })]),
    ).toEqual([]);
  });
});

describe('a budget of which only the kind is known', () => {
  it('selects nothing', () => {
    expect(budgetsOf(pod({ namespace: 'default' }), [{}])).toEqual([]);
  });

  it('holds what it selects while nobody has counted for it, ready or not', () => {
    const uncounted = { spec: { selector: {} } };
    expect(budgetsHolding(pod({ namespace: 'default' }), [uncounted])).toEqual(['']);
    expect(budgetsHolding(pod({ namespace: 'default', ready: false }), [uncounted])).toEqual(['']);
  });
});
