import { homedir } from 'node:os';
import { join } from 'node:path';
import { pureFiles } from '../pure-rooms.ts';

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'drover');

/** `MUTATION_SHARE=1/4`: the files of the second of four shares; absent: all. */
const [share = 0, shares = 1] = (process.env.MUTATION_SHARE ?? '0/1').split('/').map(Number);

/**
 * Breaks the decisions of the pure rooms, one change at a time, and asks whether a test notices. Not mutated are words:
 * what a reason says is for people, and a test that repeats every sentence proves nothing.
 */
export default {
  mutate: pureFiles().filter((_, index) => index % shares === share),
  // What was found of a mutant holds for as long as neither its file nor its tests change.
  incremental: true,
  incrementalFile: join(cache, 'mutants.json'),
  mutator: { excludedMutations: ['StringLiteral'] },
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/gates/mutation/vitest.config.ts', related: false, pool: 'threads' },
  // TypeScript 7 lacks the API with which Stryker rewrites tsconfig.json; Node strips types without one. A name that is not there skips it.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 30_000,
  // It ends what hangs. On a busy machine the first run has taken more than the five minutes that Stryker gives it.
  dryRunTimeoutMinutes: 20,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, reportMutants: false, skipFull: true },
  jsonReporter: { fileName: 'reports/mutation.json' },
  thresholds: { high: 95, low: 85, break: 85 },
};
