import { defineConfig } from 'vitest/config';
import { patience } from './scripts/gates/patience.ts';
import { reporters } from './scripts/gates/reporters.ts';

/** Suites that take minutes: `npm run test:heavy`. */
export default defineConfig({
  test: {
    include: ['test/heavy/**/*.test.ts'],
    globalSetup: ['test/support/packaged.ts'],
    pool: 'threads',
    maxWorkers: 2,
    ...patience,
    disableConsoleIntercept: true,
    reporters: reporters(),
  },
});
