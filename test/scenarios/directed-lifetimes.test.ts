import { describe, expect, it } from 'vitest';
import { describeViolation } from '../support/lifetimes/describe-violation.ts';
import { directedLifetimes } from '../support/lifetimes/directed.ts';
import { liveLifetime } from '../support/lifetimes/lifetime.ts';

describe('a lifetime in which', () => {
  // Vitest would shorten `$name`, and the suite of reverted fixes runs single tests by their names.
  it.each(directedLifetimes.map(({ name, plan }) => [name, plan] as const))(
    '%s breaks no rule',
    async (_name, plan) => {
      const { violation } = await liveLifetime(plan.seed, { plan });
      expect(violation && describeViolation(violation)).toBeUndefined();
    },
  );
});
