import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/contract/real/**', 'test/heavy/**'],
    globalSetup: ['test/support/packaged.ts'],
    pool: 'threads',
    testTimeout: 20_000,
  },
});
