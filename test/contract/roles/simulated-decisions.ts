import { type ContextKeyTypeEnum, type IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import type { DecisionsWorld, Question } from './decision-cases.ts';

/** The organization of the account denies what the role's policies may allow, so the answer says nothing about the role. */
class DeniedByOrganization extends Error {
  override readonly name = 'DeniedByOrganization';
}

/** The boundary of a run leaves IAM out, and does not belong to Drover: for the simulation this one replaces it. */
const noBoundary = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }],
});

const decisions = {
  allowed: 'allowed',
  explicitDeny: 'explicit-deny',
  implicitDeny: 'implicit-deny',
} as const;

function typeOf(values: readonly string[], isList: boolean): ContextKeyTypeEnum {
  if (isList) return 'stringList';
  return values.every((value) => /^\d+$/.test(value)) ? 'numeric' : 'string';
}

/** IAM adds no key to the context: one that is not given is missing (https://github.com/boto/boto3/issues/2084). */
const contextOf = ({ context, listKeys }: Question) =>
  Object.entries(context).map(([ContextKeyName, value]) => {
    const ContextKeyValues = [value ?? []].flat();
    const ContextKeyType = typeOf(ContextKeyValues, listKeys.includes(ContextKeyName));
    return { ContextKeyName, ContextKeyType, ContextKeyValues };
  });

/** Asks IAM's simulator. One action on one resource at a time: a list of both is answered in another form. */
export const simulatedBy =
  (iam: IAMClient): DecisionsWorld['decide'] =>
  async (question) => {
    const { EvaluationResults: [result] = [] } = await iam.send(
      new SimulatePrincipalPolicyCommand({
        PolicySourceArn: question.roleArn,
        ActionNames: [question.action],
        ResourceArns: [question.resource],
        ContextEntries: contextOf(question),
        PermissionsBoundaryPolicyInputList: [noBoundary],
      }),
    );
    if (result?.EvalDecision === undefined) throw new Error(`IAM gives no decision about ${question.action}`);
    if (result.OrganizationsDecisionDetail?.AllowedByOrganizations === false)
      throw new DeniedByOrganization(
        `a service control policy denies ${question.action}, or cannot be simulated: run in an account without one`,
      );
    return decisions[result.EvalDecision];
  };
