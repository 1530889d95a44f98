import type { Decision } from './evaluate.ts';

export interface Denial {
  readonly principalArn: string;
  readonly action: string;
  readonly resource: string;
  readonly decision: Exclude<Decision, 'allowed'>;
  /** Which kind of policy refused. */
  readonly policyKind: 'identity-based' | 'resource-based';
}

/**
 * The refusal as AWS words it (IAM user guide, "Troubleshoot access denied error messages"). EC2 puts a sentence of its
 * own before it, SQS writes its actions in lower case.
 */
export function denialMessage({ principalArn, action, resource, decision, policyKind }: Denial): string {
  const shown = action.startsWith('sqs:') ? action.toLowerCase() : action;
  const where = resource === '*' ? '' : ` on resource: ${resource}`;
  const article = policyKind === 'identity-based' ? 'an' : 'a';
  const why =
    decision === 'explicit-deny'
      ? `with an explicit deny in ${article} ${policyKind} policy`
      : `because no ${policyKind} policy allows the ${shown} action`;
  const message = `User: ${principalArn} is not authorized to perform: ${shown}${where} ${why}`;
  return action.startsWith('ec2:') ? `You are not authorized to perform this operation. ${message}` : message;
}
