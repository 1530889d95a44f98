import { truthReporter } from '@drover/cloud-sandbox/truth/reporter.ts';
import { defineConfig } from 'vitest/config';
import { patience } from './scripts/gates/patience.ts';
import { reporters } from './scripts/gates/reporters.ts';

/**
 * The suites against programs that others wrote (`*.real.test.ts`). `npm test` asks the sandbox the same cases.
 * Each suite says what it needs, and is skipped where that is not installed.
 */
export default defineConfig({
  test: {
    reporters: reporters(truthReporter),
    include: ['test/**/*.real.test.ts', 'packages/*/test/**/*.real.test.ts'],
    globalSetup: ['test/support/packaged.ts'],
    ...patience,
    // Much of what is asked here is asked to wait: three files at a time leave two cores little idle.
    maxWorkers: 3,
    // Those that may run side by side wait for etcd's own patience most of the time.
    maxConcurrency: 8,
  },
});
