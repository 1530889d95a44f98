import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeTools } from '../../../real/programs.ts';
import { contract } from '../../../truth/contract.ts';
import { conditionCases } from './condition-cases.ts';
import { type IamSimulate, iamSimulateName, startIamSimulate } from './iam-simulate.ts';
import { randomQuestion } from './random-policies.ts';
import { resourcePolicyCases } from './resource-policy-cases.ts';
import { sandboxIam } from './sandbox-iam.ts';
import { statementCases } from './statement-cases.ts';

/** Where iam-simulate does otherwise than AWS documents. */
const differs: ReadonlyMap<string, string> = new Map([
  [
    'where it is what a statement leaves out, the statement leaves out nothing',
    'the statement matches nothing; IAM user guide: a resource with a variable without a value "will not match any resource"',
  ],
  ['a policy of an older version has no variables', 'it fills them in whatever the version is'],
  ['a resource is an ARN, or everything', 'it takes any text, and `bucket` for everything'],
  [
    'a date is compared with seconds since 1970 as the time that both say',
    'it takes the seconds of a policy for milliseconds',
  ],
  [
    'a variable without a value is like nothing, which is what a negation asks',
    'it fails; IAM user guide: "Inverted condition operators like StringNotEquals or StringNotLike do match against a null value"',
  ],
  ['an asterisk in braces is one where text is to be equal, too', 'it takes the braces for text'],
  ['variables are for text and ARNs alone', 'it fills them into booleans'],
  ['a policy of a resource names somebody', 'it takes one that names nobody'],
]);

let simulate: IamSimulate | undefined;

beforeAll(() => {
  if (nodeTools.isInstalled) simulate = startIamSimulate();
});
afterAll(() => simulate?.stop());

function open(): IamSimulate {
  if (simulate === undefined) throw new Error(`${iamSimulateName} does not run`);
  return simulate;
}

contract({
  area: 'IAM evaluation',
  world: iamSimulateName,
  cases: { ...statementCases, ...conditionCases, ...resourcePolicyCases },
  open,
  differs,
  missing: nodeTools.missing,
});

const behaviour = 'random policies with every operator, on both sides, decide the same';
const claim = { area: 'IAM evaluation', behaviour, world: iamSimulateName };
test.skipIf(!nodeTools.isInstalled)(behaviour, { meta: { claim } }, async () => {
  await fc.assert(
    fc.asyncProperty(randomQuestion, async (question) => {
      expect(await sandboxIam.decide(question)).toEqual(await open().decide(question));
    }),
    { seed: 20_251_121, numRuns: 1500 },
  );
});
