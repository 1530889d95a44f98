import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formats } from '../../../../cli/adopt/as/formats.ts';
import { planText } from '../../../../cli/adopt/text.ts';
import { planOfOddNames } from '../adoption/plan.ts';
import { hasParser, parseHcl } from './hcl.ts';

let scratch: string;

const withoutParser = hasParser ? '' : ', with the parser that .ci/run installs';
describe.skipIf(!hasParser)(`drover adopt --as terraform, parsed as HCL${withoutParser}`, () => {
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'drover-adopt-'));
  });
  afterAll(() => rm(scratch, { recursive: true }));

  it('has the hooks and rights of the plan as resources, with nothing else in the file but comments', async () => {
    const plan = planOfOddNames();
    const file = join(scratch, 'adopt.tf');
    await writeFile(file, planText({ plan, advice: [], clusterName: 'prod' }, formats.terraform));
    const configuration = await parseHcl([file]);
    expect(Object.keys(configuration).filter((key) => !key.startsWith('__'))).toEqual(['resource']);
    const hooks = (configuration['resource'] ?? []).flatMap(
      (block) => Object.values(block['aws_autoscaling_lifecycle_hook'] ?? {}) as object[],
    );
    const wanted = plan.steps.flatMap(({ actions }) => actions.filter(({ kind }) => kind === 'put-hook'));
    expect(wanted).toHaveLength(6);
    expect(hooks).toHaveLength(6);
    expect(JSON.stringify(hooks)).toContain('autoscaling:EC2_INSTANCE_TERMINATING');
    expect(JSON.stringify(configuration)).toContain('kubernetes_manifest');
  });
});
