import { defineConfig } from 'vitest/config';

/** The tests of this package alone: `npm test -w packages/cloud-sandbox`. The root's `npm test` runs them among all others. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.real.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
  },
});
