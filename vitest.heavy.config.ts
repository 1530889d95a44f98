import { defineConfig } from 'vitest/config';
import { reporters } from './scripts/gates/reporters.ts';

/** Suites that take minutes: `npm run test:heavy`. */
export default defineConfig({
  test: {
    include: ['test/heavy/**/*.test.ts'],
    globalSetup: ['test/support/packaged.ts'],
    pool: 'threads',
    maxWorkers: 2,
    disableConsoleIntercept: true,
    reporters: reporters(),
  },
});
