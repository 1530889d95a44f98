import * as fc from 'fast-check';
import type { ClusterApi } from './cluster-api.ts';
import { type BudgetParts, type TestNamespace, testNamespace } from './namespace.ts';
import { randomBudget } from './random-budget.ts';
import { type RandomPod, randomPod } from './random-pod.ts';
import { type OwnerChoice, ownerChoices, type RandomWorkloads, randomWorkloads } from './random-workloads.ts';
import { createWorkloads } from './workloads.ts';

/** What is in one namespace. */
export interface RandomNamespace {
  readonly workloads: RandomWorkloads;
  readonly pods: readonly (RandomPod & { readonly owner: OwnerChoice })[];
  readonly budgets: readonly Required<Omit<BudgetParts, 'metadata'>>[];
}

const randomNamespace: fc.Arbitrary<RandomNamespace> = fc.record({
  workloads: randomWorkloads,
  pods: ownerChoices.chain((owners) =>
    fc.array(
      fc
        .record({ pod: randomPod, owner: fc.constantFrom(...owners) })
        .map(({ pod, owner }) => ({ ...pod, owner })),
      { maxLength: 6, size: 'max' },
    ),
  ),
  budgets: fc.oneof(
    { weight: 1, arbitrary: fc.tuple(randomBudget) },
    { weight: 1, arbitrary: fc.tuple(randomBudget, randomBudget) },
  ),
});

/** The same for the same seed. */
export const randomNamespaces = (count: number, seed: number): readonly RandomNamespace[] =>
  fc.sample(randomNamespace, { numRuns: count, seed });

export const podName = (index: number): string => `pod-${index}`;
export const budgetName = (index: number): string => `budget-${index}`;

/** Writes all of it but the budgets: the disruption controller must know of the pods before. */
export async function furnishNamespace(
  api: ClusterApi,
  name: string,
  { workloads, pods }: RandomNamespace,
): Promise<TestNamespace> {
  const namespace = await testNamespace(api, name);
  const owners = await createWorkloads(api, name, workloads);
  for (const [index, { owner, deletion, ...pod }] of pods.entries()) {
    const metadata = { ...pod.metadata, ownerReferences: [...owners[owner]] };
    await namespace.pod(podName(index), { ...pod, metadata });
    if (deletion) await namespace.deletePod(podName(index), deletion);
  }
  return namespace;
}
