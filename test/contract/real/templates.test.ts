import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** What `.ci/run` installs, and runs over the other templates too. */
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'drover');
const template = '.serverless/cloudformation-template-update-stack.json';

interface Check {
  readonly behaviour: string;
  readonly world: string;
  readonly program: string;
  readonly options: readonly string[];
}

const checks: readonly Check[] = [
  {
    behaviour: 'the packaged template has the resources and properties that CloudFormation knows',
    world: 'cfn-lint 1.58.0',
    program: join(cache, 'ci-venv', 'bin', 'cfn-lint'),
    options: ['--non-zero-exit-code', 'error', '--format', 'quiet', template],
  },
  {
    behaviour: 'the packaged template does what is held to be safe, but for what is waived with its reason',
    world: 'checkov 3.3.30',
    program: join(cache, 'ci-checkov', 'bin', 'checkov'),
    options: ['--config-file', '.ci/checkov.yml', '--output', 'json', '--file', template],
  },
];

for (const { behaviour, world, program, options } of checks) {
  const claim = { area: 'Templates', behaviour, world };
  const needs = existsSync(program) ? '' : ', which .ci/run installs';
  test.skipIf(needs !== '')(`${behaviour}, by ${world}${needs}`, { meta: { claim } }, async () => {
    const { stdout } = await promisify(execFile)(program, options);
    // Where checkov cannot read a file it ends well.
    if (world.startsWith('checkov'))
      expect(JSON.parse(stdout)).toMatchObject({ summary: { failed: 0, parsing_errors: 0 } });
    else expect(stdout).not.toMatch(/^E\d/m);
  });
}
