import type {
  ContextEntry,
  EvaluationResult,
  PolicyEvaluationDecisionType,
  SimulatePrincipalPolicyRequest,
} from '@aws-sdk/client-iam';
import { contextValue, type PolicyContext } from './context.ts';
import { type Decision, evaluate } from './evaluate.ts';
import type { PolicyDocument } from './policy.ts';

const decisions = {
  allowed: 'allowed',
  'explicit-deny': 'explicitDeny',
  'implicit-deny': 'implicitDeny',
} as const satisfies Readonly<Record<Decision, PolicyEvaluationDecisionType>>;

/** Only types of lists have several values. */
const contextOf = (entries: readonly ContextEntry[]): PolicyContext =>
  Object.fromEntries(
    entries.map(({ ContextKeyName = '', ContextKeyType = 'string', ContextKeyValues = [] }) => [
      ContextKeyName,
      ContextKeyType.endsWith('List') ? ContextKeyValues : ContextKeyValues[0],
    ]),
  );

/** Keys of all policies, whichever action has them (https://github.com/boto/boto3/issues/3111). */
const missingKeys = (policies: readonly PolicyDocument[], context: PolicyContext): string[] => [
  ...new Set(
    policies
      .flat()
      .flatMap(({ conditions }) => conditions.map(({ key }) => key))
      .filter((key) => contextValue(context, key) === undefined),
  ),
];

/**
 * What IAM's simulator answers for these identity policies: each action on each resource. It adds nothing to the context that it is given
 * (https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html). Left out: resource policies, matched statements.
 */
export function simulatePolicy(
  policies: readonly PolicyDocument[],
  { ActionNames = [], ResourceArns = ['*'], ContextEntries = [] }: SimulatePrincipalPolicyRequest,
): EvaluationResult[] {
  const context = contextOf(ContextEntries);
  const MissingContextValues = missingKeys(policies, context);
  return ActionNames.flatMap((action) =>
    ResourceArns.map((resource) => ({
      EvalActionName: action,
      EvalResourceName: resource,
      EvalDecision: decisions[evaluate({ action, resource, context, policies }).decision],
      MatchedStatements: [],
      MissingContextValues,
    })),
  );
}
