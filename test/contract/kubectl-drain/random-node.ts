import type { BudgetParts } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/namespace.ts';
import { randomBudget } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/random-budget.ts';
import {
  type RandomPod,
  randomPod,
} from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/random-pod.ts';
import * as fc from 'fast-check';

/** A node's pods, and the budgets of the namespace in which all of them are. */
export interface RandomNode {
  readonly pods: readonly RandomPod[];
  readonly budgets: readonly BudgetParts[];
}

const observed = { observedGeneration: 1 };

/** Budgets are seen: kubectl would wait a hundred seconds for one that is not. */
const randomNode: fc.Arbitrary<RandomNode> = fc.record({
  pods: fc.array(randomPod, { minLength: 0, maxLength: 4, size: 'max' }),
  budgets: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    {
      weight: 2,
      arbitrary: fc.array(
        randomBudget.map((budget) => ({ ...budget, status: { ...budget.status, ...observed } })),
        { minLength: 1, maxLength: 2, size: 'max' },
      ),
    },
  ),
});

/** The same for the same seed. */
export const randomNodes = (count: number, seed: number): readonly RandomNode[] =>
  fc.sample(randomNode, { numRuns: count, seed });
