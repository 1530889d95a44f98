import { describe, expect, it } from 'vitest';
import { describeViolation } from '../support/lifetimes/describe-violation.ts';
import { directedLifetimes } from '../support/lifetimes/directed.ts';
import { liveLifetime } from '../support/lifetimes/lifetime.ts';

describe('a lifetime in which', () => {
  it.each(directedLifetimes)('$name breaks no rule', async ({ plan }) => {
    const { violation } = await liveLifetime(plan.seed, { plan });
    expect(violation && describeViolation(violation)).toBeUndefined();
  });
});
