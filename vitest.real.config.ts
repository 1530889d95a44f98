import { defineConfig } from 'vitest/config';
import { reporters } from './scripts/gates/reporters.ts';
import { truthReporter } from './scripts/truth/reporter.ts';

/**
 * What was written by others, and the sandbox beside it: the same cases, so that one run fills the table of docs/truth.md.
 * Each suite says what it needs, and is skipped where that is not installed.
 */
export default defineConfig({
  test: {
    reporters: reporters(truthReporter),
    // The last are rules that nobody but AWS's documentation tells.
    include: ['test/contract/**/*.test.ts', 'packages/cloud-sandbox/test/aws/auto-scaling/*.test.ts'],
    globalSetup: ['test/support/packaged.ts'],
    testTimeout: 60_000,
    // Much of what is asked here is asked to wait: three files at a time leave two cores little idle.
    maxWorkers: 3,
    // Those that may run side by side wait for etcd's own patience most of the time.
    maxConcurrency: 8,
  },
});
