import { contract } from '../../../truth/contract.ts';
import { conditionCases } from './condition-cases.ts';
import { resourcePolicyCases } from './resource-policy-cases.ts';
import { sandboxIam } from './sandbox-iam.ts';
import { statementCases } from './statement-cases.ts';

contract({
  area: 'IAM evaluation',
  world: 'sandbox',
  cases: { ...statementCases, ...conditionCases, ...resourcePolicyCases },
  open: () => sandboxIam,
});
