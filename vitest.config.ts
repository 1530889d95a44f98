import { truthReporter } from '@drover/cloud-sandbox/truth/reporter.ts';
import { defineConfig } from 'vitest/config';
import { patience } from './scripts/gates/patience.ts';
import { pureRooms } from './scripts/gates/pure-rooms.ts';
import { reporters } from './scripts/gates/reporters.ts';

const countsLines = process.env.DROVER_COVERAGE === '1';
const bar = { lines: 95, branches: 95 };

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    exclude: ['**/*.real.test.ts', 'test/heavy/**'],
    globalSetup: ['test/support/packaged.ts'],
    pool: 'threads',
    // A module is loaded once for all files of a thread, which halves the time: no test leans on what a module keeps.
    isolate: false,
    // One for each core: left to itself it spares a core, which on two is half of them.
    maxWorkers: '100%',
    ...patience,
    // What the sandbox's side of a contract finds, so that nobody has to ask it twice.
    reporters: reporters(truthReporter),
    coverage: {
      enabled: countsLines,
      provider: 'v8',
      include: pureRooms.map((room) => `${room}/**/*.ts`),
      reporter: ['text-summary', 'json-summary', 'json'],
      reportOnFailure: true,
      thresholds: Object.fromEntries(pureRooms.map((room) => [`${room}/**/*.ts`, bar])),
    },
  },
});
