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

describe('a pod with empty fields', () => {
  it('is in namespace default, without a controller, not ready, not terminating, with the default grace', () => {
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

  it('is held by a budget of its namespace that selects every pod', () => {
    const all = budget({ namespace: 'default', status: { currentHealthy: 0 } });
    expect(budgetsHolding({}, [all])).toEqual(['web']);
    expect(
      budgetsHolding({}, [budget({ namespace: 'default', selector: { matchLabels: { a: 'b' } } })]),
    ).toEqual([]);
  });
});

describe('a budget with empty fields', () => {
  it('selects nothing', () => {
    expect(budgetsOf(pod({ namespace: 'default' }), [{}])).toEqual([]);
  });

  it('holds the pods that it selects, ready or not, while it has no status', () => {
    const uncounted = { spec: { selector: {} } };
    expect(budgetsHolding(pod({ namespace: 'default' }), [uncounted])).toEqual(['']);
    expect(budgetsHolding(pod({ namespace: 'default', ready: false }), [uncounted])).toEqual(['']);
  });
});
