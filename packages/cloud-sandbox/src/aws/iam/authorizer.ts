import type { Clock } from '../../simulation/clock.ts';
import type { Authorize } from '../front/front.ts';
import type { Principal } from '../service.ts';
import { decideAccess } from './access.ts';
import type { PolicyContext } from './context.ts';
import { denialMessage } from './denial.ts';
import type { Decision } from './evaluate.ts';
import type { PolicyDocument } from './policy.ts';
import type { Requirement, ResourceLookup } from './rules/rule.ts';
import { serviceRules } from './rules/rules.ts';

/** A permission that was asked for, with all that was known, and what came of it. */
export interface AskedPermission {
  readonly principalArn: string;
  readonly action: string;
  readonly resource: string;
  readonly context: PolicyContext;
  readonly decision: Decision;
}

export interface AuthorizerOptions {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly lookup: ResourceLookup;
  readonly policiesOf: (principal: Principal) => readonly PolicyDocument[];
  /** The role behind a session; undefined for a user. */
  readonly roleArnOf: (principal: Principal) => string | undefined;
  /** The policy of a resource: a queue's, a topic's, a role's trust policy. */
  readonly resourcePolicyOf: (arn: string) => PolicyDocument | undefined;
  readonly onPermission?: (asked: AskedPermission) => void;
}

/**
 * Asks IAM for every call that comes through the front. Transport counts as encrypted (`aws:SecureTransport` is true),
 * although the wire of the sandbox is plain HTTP on the loopback address.
 */
export function createAuthorizer(options: AuthorizerOptions): Authorize {
  return ({ principal, service, operation, input }) => {
    const { accountId, region, lookup } = options;
    const rule = serviceRules[service];
    const requirements = rule?.({ operation, input, accountId, region, lookup }) ?? [
      { action: `${service}:${operation}`, resource: '*' },
    ];
    for (const requirement of requirements) {
      const message = refusal(options, principal, requirement);
      if (message !== undefined) return message;
    }
    return undefined;
  };
}

/** The text of the refusal of one permission; undefined when it is given. */
function refusal(
  options: AuthorizerOptions,
  principal: Principal,
  requirement: Requirement,
): string | undefined {
  const { action, resource } = requirement;
  const roleArn = options.roleArnOf(principal);
  const context = { ...globalContext(options, principal, roleArn), ...requirement.context };
  const { decision, policyKind } = decideAccess({
    question: { action, resource, context },
    policies: options.policiesOf(principal),
    resourcePolicy: options.resourcePolicyOf(resource),
    caller: {
      kind: 'principal',
      accountId: principal.accountId,
      arn: principal.arn,
      roleArn,
    },
  });
  options.onPermission?.({ principalArn: principal.arn, action, resource, context, decision });
  return decision === 'allowed'
    ? undefined
    : denialMessage({ action, resource, principalArn: principal.arn, decision, policyKind });
}

/** Of a session `aws:PrincipalArn` is the role, with its path (IAM user guide, "AWS global condition context keys"). */
function globalContext(
  { clock, region }: AuthorizerOptions,
  principal: Principal,
  roleArn: string | undefined,
): PolicyContext {
  const now = clock.now();
  return {
    'aws:PrincipalArn': roleArn ?? principal.arn,
    'aws:PrincipalIsAWSService': 'false',
    'aws:PrincipalAccount': principal.accountId,
    'aws:RequestedRegion': region,
    'aws:SecureTransport': 'true',
    'aws:ViaAWSService': 'false',
    'aws:CurrentTime': new Date(now).toISOString(),
    'aws:EpochTime': String(Math.floor(now / 1000)),
  };
}
