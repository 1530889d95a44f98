import type { PodDisruptionBudgetSpec } from 'kubernetes-types/policy/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { budgetView } from '../../../ui/server/views/budget.ts';

const status = { disruptionsAllowed: 0, currentHealthy: 5, desiredHealthy: 5, expectedPods: 5 };
const viewOf = (spec: PodDisruptionBudgetSpec) =>
  budgetView({ metadata: { namespace: 'shop', name: 'web' }, spec, status });

describe('a budget on the page', () => {
  it.each<[PodDisruptionBudgetSpec, number | undefined]>([
    [{ minAvailable: 5 }, 6],
    [{ minAvailable: '50%' }, 2],
    [{ minAvailable: '90%' }, 10],
    [{ minAvailable: '99%' }, 100],
    [{ minAvailable: '100%' }, undefined],
    [{ maxUnavailable: 0 }, undefined],
    [{ maxUnavailable: '0%' }, undefined],
    [{}, undefined],
  ])('with %o lets a pod go from %s replicas on', (spec, enoughReplicas) => {
    expect(viewOf(spec).enoughReplicas).toBe(enoughReplicas);
  });

  it('says why Kubernetes cannot count its pods', () => {
    const failed = {
      type: 'DisruptionAllowed',
      status: 'False',
      reason: 'SyncFailed',
      message: 'no controller',
    };
    const condition = { ...failed, lastTransitionTime: '2026-01-05T08:00:00Z' };
    expect(budgetView({ status: { ...status, conditions: [condition] } }).failure).toBe('no controller');
    expect(viewOf({ minAvailable: 5 }).failure).toBeUndefined();
  });
});
