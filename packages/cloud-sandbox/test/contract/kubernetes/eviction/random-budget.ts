import * as fc from 'fast-check';
import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.d.ts';
import type { BudgetParts } from './namespace.ts';

const expression: fc.Arbitrary<LabelSelectorRequirement> = fc.constantFrom(
  { key: 'app', operator: 'In', values: ['web', 'db'] },
  { key: 'app', operator: 'NotIn', values: ['web', ''] },
  { key: 'tier', operator: 'Exists' },
  { key: 'tier', operator: 'DoesNotExist' },
);

/** Over the labels `app` and `tier`; empty and absent ones among them. */
const selector = fc.oneof<fc.Arbitrary<LabelSelector | undefined>[]>(
  fc.constantFrom<LabelSelector | undefined>(undefined, {}),
  fc.constantFrom('web', 'db', '').map((app) => ({ matchLabels: { app } })),
  fc.array(expression, { minLength: 1, maxLength: 2 }).map((matchExpressions) => ({ matchExpressions })),
  expression.map((each) => ({ matchLabels: { tier: 'back' }, matchExpressions: [each] })),
);

const amount = fc.constantFrom<number | string>(0, 1, 2, 5, '0%', '34%', '50%', '100%');
const rule = fc.oneof(
  fc.constant({}),
  amount.map((minAvailable) => ({ minAvailable })),
  amount.map((maxUnavailable) => ({ maxUnavailable })),
);

const unhealthyPodEvictionPolicy = fc.constantFrom('IfHealthyBudget', 'AlwaysAllow');

/** What a disruption controller, or a hand, may have written. */
const status = fc.record({
  observedGeneration: fc.constantFrom(0, 1, 1, 1),
  disruptionsAllowed: fc.constantFrom(0, 0, 0, 2),
  currentHealthy: fc.nat({ max: 3 }),
  desiredHealthy: fc.nat({ max: 3 }),
  expectedPods: fc.nat({ max: 4 }),
});

/** A budget with a status that need not fit its rule. */
export const randomBudget: fc.Arbitrary<Required<Omit<BudgetParts, 'metadata'>>> = fc
  .record({
    selector,
    rule,
    policy: fc.option(unhealthyPodEvictionPolicy, { nil: undefined }),
    status,
  })
  .map(({ selector, rule, policy, status }) => ({
    spec: {
      ...rule,
      ...(selector && { selector }),
      ...(policy && { unhealthyPodEvictionPolicy: policy }),
    },
    status,
  }));
