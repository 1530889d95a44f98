import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chosenVersion } from '@drover/cloud-sandbox/real/versions.ts';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { Result } from './result.ts';
import { suiteOf } from './suites.ts';

/** Where a run of the real suites leaves its results; `npm run compatibility` reads it. */
export const resultsDirectory = 'reports/compatibility';

/** Counts the tests of the suites to which a version of Kubernetes or etcd matters. */
export const compatibilityReporter = (today: () => string): Reporter => ({
  onTestRunEnd: (modules) => {
    // With `-t` a file runs only in part.
    if (modules.some(({ project }) => project.config.testNamePattern !== undefined)) return;
    for (const result of modules.flatMap((module) => resultsOf(module, today()))) write(result);
  },
});

function resultsOf(module: TestModule, date: string): readonly Result[] {
  const file = module.relativeModuleId;
  const suite = file.endsWith('.real.test.ts') ? suiteOf(file) : undefined;
  if (suite === undefined) return [];
  const version = chosenVersion(suite.program);
  const tests = [...module.children.allTests()].filter((test) => test.result().state !== 'skipped');
  // A hook that fails skips the tests of its file.
  if (tests.length === 0 && module.state() === 'failed')
    return [{ file, version, date, passed: 0, failed: 1 }];
  const byVersion = Map.groupBy(
    tests,
    (test) => (suite.program === 'etcd' ? etcdOf(test) : version) ?? version,
  );
  return [...byVersion].map(([ofVersion, some]) => {
    const count = (state: 'passed' | 'failed'): number =>
      some.filter((test) => test.result().state === state).length;
    return { file, version: ofVersion, date, passed: count('passed'), failed: count('failed') };
  });
}

/** The suites of etcd run with Debian's version too, and their claims name it. */
const etcdOf = (test: TestCase): string | undefined =>
  /^etcd (\S+)$/.exec(test.meta().claim?.world ?? '')?.[1];

function write(result: Result): void {
  mkdirSync(resultsDirectory, { recursive: true });
  const name = `${result.file}-${result.version}`.replaceAll(/[^\w.]+/g, '-');
  writeFileSync(join(resultsDirectory, `${name}.json`), `${JSON.stringify(result)}\n`);
}
