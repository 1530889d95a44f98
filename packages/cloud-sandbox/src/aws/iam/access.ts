import { type Decision, type Evaluation, evaluate, type PolicyQuestion } from './evaluate.ts';
import type { PolicyDocument } from './policy.ts';
import { type Caller, evaluateResourcePolicy, type ResourceEvaluation } from './resource-policy.ts';

export interface AccessQuestion {
  readonly question: PolicyQuestion;
  /** The policies of the caller. */
  readonly policies: readonly PolicyDocument[];
  /** The policy of the resource; undefined if it has none. */
  readonly resourcePolicy: PolicyDocument | undefined;
  readonly caller: Caller;
}

export interface Access {
  readonly decision: Decision;
  /** The kind of policy that refused, or would have had to allow. */
  readonly policyKind: 'identity-based' | 'resource-based';
}

/**
 * Whether a caller may do something within its own account, by its policies and by that of the resource (IAM user guide,
 * "Policy evaluation logic"): a deny of either wins, then an allow of either is enough, but for a role, which has to trust.
 */
export function decideAccess({ question, policies, resourcePolicy, caller }: AccessQuestion): Access {
  const identity = evaluate({ ...question, policies });
  const resource = resourcePolicy && evaluateResourcePolicy({ ...question, policy: resourcePolicy, caller });
  if (identity.decision === 'explicit-deny')
    return { decision: 'explicit-deny', policyKind: 'identity-based' };
  if (resource?.decision === 'explicit-deny')
    return { decision: 'explicit-deny', policyKind: 'resource-based' };
  if (question.action === 'sts:AssumeRole' && !trusts(resource))
    return { decision: 'implicit-deny', policyKind: 'resource-based' };
  return {
    decision: isAllowed(identity, resource) ? 'allowed' : 'implicit-deny',
    policyKind: 'identity-based',
  };
}

const trusts = (resource: ResourceEvaluation | undefined): boolean =>
  resource?.allowed === true || resource?.delegated === true;

/** "Within the same account, an allow in either policy is enough." */
const isAllowed = (identity: Evaluation, resource: ResourceEvaluation | undefined): boolean =>
  identity.allowed || resource?.allowed === true;
