import type { PolicyDocument } from './policy.ts';
import { evaluateResourcePolicy } from './resource-policy.ts';

/** A service of AWS that wants to reach a resource in its own name. */
export interface ServiceRequest {
  /** `events.amazonaws.com` */
  readonly service: string;
  /** `sqs:SendMessage` */
  readonly action: string;
  readonly resource: string;
  /** The ARN of the rule, the topic or the group for which the service calls. */
  readonly sourceArn: string;
  readonly accountId: string;
}

/**
 * Whether the policy of a resource lets a service in: without a policy none is, as EventBridge may not send to a queue
 * that does not say so.
 */
export function serviceMay(request: ServiceRequest, policy: PolicyDocument | undefined): boolean {
  if (policy === undefined) return false;
  const evaluation = evaluateResourcePolicy({
    action: request.action,
    resource: request.resource,
    policy,
    caller: { kind: 'service', service: request.service },
    context: {
      'aws:SourceArn': request.sourceArn,
      'aws:SourceAccount': request.accountId,
      'aws:SecureTransport': 'true',
      'aws:PrincipalIsAWSService': 'true',
      // The default policy of a topic allows callers that send a source account; of the services here only CloudWatch does.
      ...(request.service === 'cloudwatch.amazonaws.com' && { 'aws:SourceOwner': request.accountId }),
    },
  });
  return evaluation.allowed;
}
