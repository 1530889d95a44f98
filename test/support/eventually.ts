import { vi } from 'vitest';

/**
 * Repeats a step until it does not throw, in hooks and helpers, where `expect.poll` is not available. Throws the last error after a
 * minute: left to itself, `vi.waitFor` gives up after one second, which a busy machine does not keep.
 */
export const eventually = <Result>(step: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(step, { timeout: 60_000, interval: 200 });
