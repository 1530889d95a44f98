import { describe, expect, it } from 'vitest';
import { budgetsHolding, budgetsOf } from '../../../shared/draining/budgets.ts';
import { type BudgetParts, budget, type PodParts, pod } from '../../support/pods.ts';

const names = (parts: PodParts, ...budgets: readonly BudgetParts[]) =>
  budgetsOf(
    pod(parts),
    budgets.map((each) => budget(each)),
  ).map((found) => found.metadata?.name);

const holding = (parts: PodParts, ...budgets: readonly BudgetParts[]) =>
  budgetsHolding(
    pod(parts),
    budgets.map((each) => budget(each)),
  );

describe('the budgets of a pod', () => {
  it('are those of its namespace that select it', () => {
    const selector = { matchLabels: { app: 'web' } };
    const labels = { app: 'web' };
    expect(names({ labels }, { name: 'a', selector }, { name: 'b', selector, namespace: 'other' })).toEqual([
      'a',
    ]);
    expect(names({ labels: { app: 'db' } }, { name: 'a', selector })).toEqual([]);
  });

  it('select every pod with an empty selector, and none without a selector or with an invalid one', () => {
    expect(names({}, { name: 'a', selector: {} })).toEqual(['a']);
    expect(names({}, { name: 'a', selector: null })).toEqual([]);
    const invalid = { matchExpressions: [{ key: 'app', operator: 'In' }] };
    expect(names({}, { name: 'a', selector: invalid })).toEqual([]);
  });
});

describe('a budget', () => {
  it('holds a ready pod when it allows no disruption', () => {
    expect(holding({}, {})).toEqual(['web']);
    expect(holding({}, { status: { disruptionsAllowed: 1 } })).toEqual([]);
  });

  it('holds until the API server has observed it', () => {
    expect(holding({}, { generation: 2, status: { disruptionsAllowed: 1 } })).toEqual(['web']);
  });

  it('holds until its controller has written a status, also if that allows a disruption', () => {
    const { status, ...created } = budget({ status: { disruptionsAllowed: 1 } });
    const { observedGeneration: _, ...unobserved } = status ?? {};
    expect(budgetsHolding(pod({}), [created])).toEqual(['web']);
    const claimed = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 1, expectedPods: 0 };
    expect(budgetsHolding(pod({}), [{ ...created, status: { ...claimed, ...unobserved } }])).toEqual(['web']);
  });

  it('holds a pod permanently if a second budget selects it, whatever both allow', () => {
    const open = { status: { disruptionsAllowed: 1 } };
    expect(holding({}, { ...open, name: 'b' }, { ...open, name: 'a' })).toEqual(['a', 'b']);
  });

  it.each(['Succeeded', 'Failed', 'Pending'])('does not hold a pod that is %s', (phase) => {
    expect(holding({ phase }, {})).toEqual([]);
  });

  it('does not hold a pod that is terminating', () => {
    expect(holding({ terminatesAt: 1 }, {})).toEqual([]);
  });

  it('does not hold an unready pod with AlwaysAllow, or when enough others are healthy', () => {
    const unready = { ready: false };
    expect(holding(unready, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })).toEqual([]);
    expect(holding(unready, { status: { currentHealthy: 2, desiredHealthy: 2 } })).toEqual([]);
    expect(holding(unready, { status: { currentHealthy: 1, desiredHealthy: 2 } })).toEqual(['web']);
    expect(holding(unready, { status: { currentHealthy: 1, desiredHealthy: 0 } })).toEqual(['web']);
  });
});
