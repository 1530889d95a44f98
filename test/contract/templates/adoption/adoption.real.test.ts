import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cache } from '@drover/cloud-sandbox/real/installed.ts';
import { type Ended, runClient } from '@drover/cloud-sandbox/real/run-client.ts';
import { afterAll, expect, test } from 'vitest';
import { type FormatName, formats } from '../../../../cli/adopt/as/formats.ts';
import type { Plan } from '../../../../cli/adopt/plan/step.ts';
import { planText } from '../../../../cli/adopt/text.ts';
import { planOfOddNames, planOnEks } from './plan.ts';

const folder = mkdtempSync(join(tmpdir(), 'drover-adopt-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plans = [
  ['kubeadm', planOfOddNames()],
  ['EKS', planOnEks()],
] as const;

const cfnLint = join(cache, 'ci-venv', 'bin', 'cfn-lint');
const needsCfnLint = existsSync(cfnLint) ? '' : ', which .ci/run installs';

test.skipIf(needsCfnLint !== '').each(plans)(
  `drover adopt --as cloudformation on %s is a template without faults, by cfn-lint${needsCfnLint}`,
  { timeout: 300_000 },
  async (_, plan) => {
    const { code, stdout } = await judged(plan, 'cloudformation', cfnLint, []);
    expect(code, stdout).toBe(0);
  },
);

const needsTerraform = isOnPath('terraform') ? '' : ', which is not on this machine';

test.skipIf(needsTerraform !== '').each(plans)(
  `drover adopt --as terraform on %s is formatted as by terraform fmt${needsTerraform}`,
  async (_, plan) => {
    const { code, stdout, stderr } = await judged(plan, 'terraform', 'terraform', ['fmt', '-check', '-diff']);
    expect(code, `${stdout}${stderr}`).toBe(0);
  },
);

function judged(plan: Plan, format: FormatName, command: string, options: readonly string[]): Promise<Ended> {
  const file = join(folder, `adopt.${format === 'terraform' ? 'tf' : 'yml'}`);
  writeFileSync(file, planText({ plan, advice: [], clusterName: 'prod' }, formats[format]));
  return runClient({ command, options: [...options, file], environment: { HOME: homedir() } });
}

function isOnPath(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
