import { defineConfig } from 'vitest/config';
import { reporters } from './scripts/gates/reporters.ts';

/** The suites against what we did not write; each says what it needs and is skipped where that is not installed. */
export default defineConfig({
  test: { reporters: reporters(), include: ['test/contract/real/**/*.test.ts'], testTimeout: 60_000 },
});
