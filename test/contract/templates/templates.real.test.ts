import { existsSync, globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cache } from '@drover/cloud-sandbox/real/installed.ts';
import { runClient } from '@drover/cloud-sandbox/real/run-client.ts';
import { expect, test } from 'vitest';

/** What is deployed; where `.ci/run` has packaged them before, the same with functions in a VPC, and without optional parts; the release that the tests make; and the examples. */
const templates = globSync([
  '.serverless/cloudformation-template-update-stack.json',
  'reports/ci/{private,least}/cloudformation-template-update-stack.json',
  'dist/released/*.template.json',
  'examples/**/cloudformation/*.yml',
  'examples/cloudformation/*.yml',
]);
const terraform = globSync(['examples/**/*.tf', 'deploy/terraform/*.tf']);

interface Check {
  readonly behaviour: string;
  readonly world: string;
  /** Where `.ci/run` installs it. */
  readonly program: string;
  readonly options: readonly string[];
  readonly faultsIn: (output: string) => readonly string[];
}

const checks: readonly Check[] = [
  {
    behaviour: 'the packaged template has the resources and properties that CloudFormation knows',
    world: 'cfn-lint 1.58.0',
    program: join(cache, 'ci-venv', 'bin', 'cfn-lint'),
    options: ['--non-zero-exit-code', 'error', '--format', 'parseable', ...templates],
    faultsIn: (output) => output.match(/^.*:E\d{4}:.*$/gm) ?? [],
  },
  {
    behaviour: 'the packaged template does what is held to be safe, but for what is waived with its reason',
    world: 'checkov 3.3.30',
    program: join(cache, 'ci-checkov', 'bin', 'checkov'),
    options: ['--config-file', '.ci/checkov.yml', '--output', 'json', '--file', ...templates, ...terraform],
    faultsIn: faultsOfCheckov,
  },
];

for (const { behaviour, world, program, options, faultsIn } of checks) {
  const claim = { area: 'Templates', behaviour, world };
  const needs = existsSync(program) ? '' : ', which .ci/run installs';
  test.skipIf(needs !== '')(
    `${behaviour}, by ${world}${needs}`,
    // checkov compiles itself when it runs for the first time.
    { meta: { claim }, concurrent: true, timeout: 900_000 },
    async () => {
      const environment = { HOME: homedir() };
      const { code, stdout, stderr } = await runClient({ command: program, options, environment });
      expect(faultsIn(stdout)).toEqual([]);
      expect(code, stderr).toBe(0);
    },
  );
}

/** A report for each language; where checkov cannot read a file it ends well. */
function faultsOfCheckov(output: string): readonly string[] {
  const reports = [JSON.parse(output) as CheckovReport | CheckovReport[]].flat();
  return reports.flatMap(({ results, summary }) => [
    ...results.failed_checks.map(({ check_id, resource }) => `${check_id} ${resource}`),
    ...(summary.parsing_errors > 0 ? [`${summary.parsing_errors} files that cannot be read`] : []),
  ]);
}

interface CheckovReport {
  readonly results: {
    readonly failed_checks: readonly { readonly check_id: string; readonly resource: string }[];
  };
  readonly summary: { readonly parsing_errors: number };
}
