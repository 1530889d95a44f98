import { truthReporter } from '@drover/cloud-sandbox/truth/reporter.ts';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { compatibilityReporter } from './scripts/compatibility/reporter.ts';
import { createCpuReporter } from './scripts/gates/cpu/reporter.ts';
import { patience } from './scripts/gates/patience.ts';
import { pureRooms } from './scripts/gates/pure-rooms.ts';
import { reporters } from './scripts/gates/reporters.ts';

/** Where tests are. */
const folders = '{test,packages/*/test}';
const real = `${folders}/**/*.real.test.ts`;
const packaging = `${folders}/**/*.packaging.test.ts`;
const programs = `${folders}/**/*.programs.test.ts`;
const scenarios = 'test/scenarios/**/*.test.ts';
const heavy = 'test/heavy/**/*.test.ts';

/** For projects whose files are short. */
const short = {
  ...patience,
  // A worker is a process, so that the CPU time of a file can be measured with that of its children.
  pool: 'forks',
  // A worker loads a module once for all its files, which halves the time. No test depends on what a module keeps.
  isolate: false,
  // One worker for each core. By default Vitest leaves one core free, which is half of two.
  maxWorkers: '100%',
} as const;

/** The folder or the suffix of a file chooses its project. `npx vitest run PATH` runs a file of any project. */
export const projects = [
  {
    test: {
      ...short,
      /** `npm test`. Each file takes at most a few seconds of CPU: scripts/gates/cpu fails the run otherwise. */
      name: 'fast',
      include: [`${folders}/**/*.test.ts`],
      exclude: [real, packaging, programs, scenarios, heavy],
      setupFiles: ['scripts/gates/cpu/measure-file.ts'],
    },
  },
  // Drover in the simulation, over hours and with faults.
  { test: { ...short, name: 'scenarios', include: [scenarios], exclude: [packaging] } },
  // These run osls or npm.
  { test: { ...short, name: 'packaging', include: [packaging] } },
  // These start shells, Node.js or openssl, often.
  { test: { ...short, name: 'programs', include: [programs] } },
  {
    test: {
      ...patience,
      /** Third-party programs: `npm run test:real`. Each suite names what it needs, and is skipped if that is not installed. */
      name: 'real',
      include: [real],
      // Much of the time is spent waiting: three files at a time leave little of two cores idle.
      maxWorkers: 3,
      // Tests of one file that may run side by side wait for etcd's own timers most of the time.
      maxConcurrency: 8,
      sequence: { groupOrder: 1 },
    },
  },
  {
    test: {
      ...patience,
      /** Suites that take minutes: `npm run test:heavy`. */
      name: 'heavy',
      include: [heavy],
      pool: 'threads',
      maxWorkers: 2,
      disableConsoleIntercept: true,
      sequence: { groupOrder: 2 },
    },
  },
] satisfies TestProjectInlineConfiguration[];

/** A file for the coverage of one run of several, such as `reports/coverage/fast`: `npm run coverage` merges them, and compares them with the bar. */
const isPartOfCoverage = process.env.DROVER_COVERAGE !== undefined;
const today = (): string => new Date().toISOString().slice(0, 10);
const bar = { lines: 95, branches: 95 };
/** Plans index arrays in their inner loops: the defaults that TypeScript asks for there are branches that are never taken. */
const bars: Readonly<Record<string, typeof bar>> = { 'shared/capacity': { lines: 95, branches: 94 } };

export default defineConfig({
  test: {
    projects,
    globalSetup: ['test/support/packaged.ts'],
    reporters: reporters(truthReporter, compatibilityReporter(today), createCpuReporter()),
    coverage: {
      enabled: isPartOfCoverage,
      provider: 'v8',
      include: pureRooms.map((room) => `${room}/**/*.ts`),
      reporter: isPartOfCoverage ? [] : ['text-summary', 'json-summary', 'json'],
      reportOnFailure: true,
      thresholds: isPartOfCoverage
        ? {}
        : Object.fromEntries(pureRooms.map((room) => [`${room}/**/*.ts`, bars[room] ?? bar])),
    },
  },
});
