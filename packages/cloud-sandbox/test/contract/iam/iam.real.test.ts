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
    'a NotResource with a variable without value excludes nothing',
    'the statement matches nothing; IAM user guide: a resource with a variable without a value "will not match any resource"',
  ],
  ['a policy of the version 2008-10-17 has no variables', 'it fills them in whatever the version is'],
  ['a resource must be an ARN or *', 'it takes any text, and `bucket` for everything'],
  [
    'date operators compare a date with seconds since 1970',
    'it takes the seconds of a policy for milliseconds',
  ],
  [
    'a condition with a variable without value does not match, and its negation does',
    'it fails; IAM user guide: "Inverted condition operators like StringNotEquals or StringNotLike do match against a null value"',
  ],
  ['${*} is a literal asterisk in StringEquals too', 'it takes the braces for text'],
  ['policy variables work in string and ARN operators only', 'it fills them into booleans'],
  ['a resource policy needs a principal', 'it accepts one without a principal'],
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
