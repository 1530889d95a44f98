import { describe, expect, it } from 'vitest';
import { describeViolation } from '../support/lifetimes/describe-violation.ts';
import { liveLifetime } from '../support/lifetimes/lifetime.ts';

/** A few of the lifetimes of test/heavy, so that every run of the tests sees some. */
const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

describe('whole lifetimes of a cluster, generated from a seed', () => {
  it.each(seeds)('break no rule (seed %i)', async (seed) => {
    const { violation } = await liveLifetime(seed);
    expect(violation && describeViolation(violation)).toBeUndefined();
  });

  it('are the same for the same seed, to the last line', async () => {
    const first = await liveLifetime(7);
    const second = await liveLifetime(7);
    expect(second).toEqual(first);
    expect((await liveLifetime(8)).digest).not.toBe(first.digest);
  });
});
