import { describe, expect, it } from 'vitest';
import { heldPods, remedyOf } from '../../../ui/state/held.ts';

describe('a line of what a drain waits for', () => {
  it.each([
    ['shop/web-1 (budget web)', { pod: 'shop/web-1', reason: 'budget web', budgets: ['shop/web'] }],
    [
      'shop/web-1 (budget a and b)',
      { pod: 'shop/web-1', reason: 'budget a and b', budgets: ['shop/a', 'shop/b'] },
    ],
    ['shop/web-1 (terminating)', { pod: 'shop/web-1', reason: 'terminating', budgets: [] }],
    ['cut short without an e…', { pod: 'cut short without an e…', reason: '', budgets: [] }],
  ])('%s is read', (line, held) => {
    expect(heldPods({ waitingFor: [line] })).toEqual([held]);
  });
});

describe('the remedy of a budget', () => {
  const strict = { name: 'shop/strict', allowed: 0, healthy: 1, desired: 1, expected: 1 };

  it('is a larger workload where that would let a pod go', () => {
    expect(remedyOf({ ...strict, enoughReplicas: 2 })).toBe(
      'strict allows 0 of 1: scale its workload to 2, or relax it',
    );
  });

  it('is only another budget if no size of the workload would allow an eviction', () => {
    expect(remedyOf(strict)).toBe('strict allows 0 of 1 at any size of its workload: relax it');
  });

  it('is to wait while another pod leaves', () => {
    expect(remedyOf({ ...strict, expected: 5, desired: 4, healthy: 5 })).toBe(
      'strict allows 0 of 5: wait for the pod that was just evicted',
    );
  });

  it('is the message of Kubernetes if it cannot count the pods', () => {
    const failure = 'found no controllers for pod "bare"';
    expect(remedyOf({ ...strict, expected: 0, desired: 0, healthy: 0, failure })).toBe(
      'strict allows 0 of 0: Kubernetes cannot count its pods: found no controllers for pod "bare"',
    );
  });

  it('is to wait if some of its pods are not healthy yet', () => {
    expect(remedyOf({ ...strict, expected: 5, desired: 4, healthy: 4 })).toBe(
      'strict allows 0 of 5: 4 are healthy and it keeps 4, so wait for 1 more',
    );
  });

  it('is none while it allows pods to go', () => {
    expect(remedyOf({ ...strict, expected: 5, desired: 4, healthy: 5, allowed: 1 })).toBe(
      'strict allows 1 of 5',
    );
  });
});
