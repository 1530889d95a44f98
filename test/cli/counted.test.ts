import { expect, it } from 'vitest';
import { counted } from '../../cli/counted.ts';
import { planSummary } from '../../cli/drain/plan-text.ts';
import type { DrainPlan } from '../../shared/draining/plan-drain.ts';

it('counted has the word for one and for more', () => {
  expect([0, 1, 2].map((count) => counted(count, 'pod'))).toEqual(['0 pods', '1 pod', '2 pods']);
  expect([1, 2].map((count) => counted(count, 'pod refuses', 'pods refuse'))).toEqual([
    '1 pod refuses',
    '2 pods refuse',
  ]);
});

it.each([
  [1, '1 pod refuses: nothing would be evicted until a flag allows it or the pods are gone.'],
  [2, '2 pods refuse: nothing would be evicted until a flag allows it or the pods are gone.'],
])('a plan with %i refusing pods says so in a whole sentence', (count, summary) => {
  const refused = Array.from({ length: count });
  expect(planSummary({ waitingFor: [], refused } as unknown as DrainPlan)).toBe(summary);
});
