import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { isDefaultRun } from '../real/versions.ts';
import type { Claim, FileFindings, Finding } from './claim.ts';

/** Where a run leaves what it found, a file for each file of tests; `npm run truth` reads it. */
export const findingsDirectory = 'reports/truth';

/** The tables of truth have one version of each program: findings with other versions are kept apart. */
const otherVersions = 'reports/truth-of-other-versions';

/** Collects what tests claim (see `Claim`) and how they ended. */
export const truthReporter: Reporter = {
  onTestRunEnd: (modules) => {
    for (const module of modules) write(module);
  },
};

function write(module: TestModule): void {
  const tests = [...module.children.allTests()];
  const file = module.relativeModuleId;
  const findings = tests.flatMap((test) => findingOf(test, file));
  if (findings.length === 0) return;
  const isWhole = module.state() === 'passed' && tests.every((test) => test.result().state === 'passed');
  const name = `${file.replaceAll(/[^\w.]+/g, '-')}.json`;
  const directory = isDefaultRun() ? findingsDirectory : otherVersions;
  mkdirSync(directory, { recursive: true });
  const found: FileFindings = { file, isWhole, findings };
  writeFileSync(join(directory, name), `${JSON.stringify(found, undefined, 2)}\n`);
}

/** A test that was skipped found nothing. */
function findingOf(test: TestCase, file: string): readonly Finding[] {
  const { claim } = test.meta();
  const { state } = test.result();
  if (claim === undefined || (state !== 'passed' && state !== 'failed')) return [];
  return [
    { ...rowOf(claim, test.name), file, ...(state === 'failed' ? { verdict: 'fail' } : verdictOf(claim)) },
  ];
}

const rowOf = ({ area, behaviour, world }: Claim, name: string) => ({
  area,
  behaviour: behaviour ?? name,
  world,
});

function verdictOf({ differs, notApplicable }: Claim): Pick<Finding, 'verdict' | 'why'> {
  if (differs !== undefined) return { verdict: 'differs', why: differs };
  if (notApplicable !== undefined) return { verdict: 'not applicable', why: notApplicable };
  return { verdict: 'pass' };
}
