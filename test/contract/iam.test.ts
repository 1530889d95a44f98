import { conditionCases } from './iam/condition-cases.ts';
import { resourcePolicyCases } from './iam/resource-policy-cases.ts';
import { statementCases } from './iam/statement-cases.ts';
import { contract } from './support/contract.ts';
import { sandboxIam } from './support/sandbox-iam.ts';

contract({
  area: 'IAM evaluation',
  world: 'sandbox',
  cases: { ...statementCases, ...conditionCases, ...resourcePolicyCases },
  open: () => sandboxIam,
});
