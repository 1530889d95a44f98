import { decideAccess } from '../aws/iam/access.ts';
import type { SimulatedIam } from '../aws/iam/iam.ts';
import type { PolicyDocument } from '../aws/iam/policy.ts';
import { serviceMay } from '../aws/iam/service-access.ts';
import type { Sender } from '../aws/integration.ts';
import { AwsError } from '../aws/service.ts';

export interface AccessParts {
  readonly accountId: string;
  readonly iam: Pick<SimulatedIam, 'role'>;
  /** The policy of a queue or a topic. */
  readonly resourcePolicyOf: (arn: string) => PolicyDocument | undefined;
}

/** Throws an AwsError (AccessDenied) where a service may not hand a message to this resource. */
export type CheckAccess = (targetArn: string, sender: Sender) => void;

const actions: Readonly<Record<string, string>> = {
  sqs: 'sqs:SendMessage',
  sns: 'sns:Publish',
  lambda: 'lambda:InvokeFunction',
};

/**
 * Whether a service of AWS may hand a message over: as the role that it was given, which must trust the service and have
 * the right; without a role by the policy of the queue or topic. What a function lets in Lambda knows itself.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html
 */
export function createAccessCheck(parts: AccessParts): CheckAccess {
  return (targetArn, sender) => {
    const service = targetArn.split(':')[2] ?? '';
    const action = actions[service] ?? `${service}:*`;
    if (sender.roleArn !== undefined)
      return checkRole(parts, { ...sender, roleArn: sender.roleArn, action, resource: targetArn });
    if (service === 'lambda') return;
    const policy = parts.resourcePolicyOf(targetArn);
    const request = { ...sender, action, resource: targetArn, accountId: parts.accountId };
    if (!serviceMay(request, policy))
      throw denied(`the policy of ${targetArn} does not let ${sender.service} in for ${sender.sourceArn}`);
  };
}

interface RoleRequest extends Sender {
  readonly roleArn: string;
  readonly action: string;
  readonly resource: string;
}

function checkRole({ accountId, iam, resourcePolicyOf }: AccessParts, request: RoleRequest): void {
  const { service, sourceArn, roleArn, action, resource } = request;
  const role = iam.role(roleArn);
  if (role === undefined) throw denied(`there is no role ${roleArn}`);
  const assume = { service, sourceArn, action: 'sts:AssumeRole', resource: roleArn, accountId };
  if (!serviceMay(assume, role.trustPolicy)) throw denied(`${roleArn} does not trust ${service}`);
  const context = {
    'aws:SecureTransport': 'true',
    'aws:PrincipalAccount': accountId,
    'aws:PrincipalArn': roleArn,
    'aws:PrincipalIsAWSService': 'false',
  };
  const { decision, policyKind } = decideAccess({
    question: { action, resource, context },
    policies: role.policies,
    resourcePolicy: resourcePolicyOf(resource),
    caller: { kind: 'principal', accountId, arn: roleArn, roleArn },
  });
  if (decision !== 'allowed') throw denied(`${roleArn} may not: ${policyKind} policy, ${decision}`);
}

const denied = (message: string): AwsError =>
  new AwsError({ code: 'AccessDenied', message, statusCode: 403 });
