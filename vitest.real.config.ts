import { defineConfig } from 'vitest/config';
import { reporters } from './scripts/gates/reporters.ts';

/** The suites against what we did not write; each says what it needs and is skipped where that is not installed. */
export default defineConfig({
  test: {
    reporters: reporters(),
    include: ['test/contract/real/**/*.test.ts'],
    testTimeout: 60_000,
    // Those that may run side by side wait for etcd's own patience most of the time.
    maxConcurrency: 8,
  },
});
