import { defineConfig } from 'vitest/config';

/** Runs only the tests of this package: `npm test -w packages/cloud-sandbox`. The root's `npm test` runs them with all others. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.real.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
  },
});
