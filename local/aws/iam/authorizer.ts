import type { Clock } from '../../../shared/lifecycle/clock.ts';
import type { Authorize } from '../front/front.ts';
import type { Principal } from '../service.ts';
import type { PolicyContext } from './context.ts';
import { denialMessage } from './denial.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import type { PolicyDocument } from './policy.ts';
import { evaluateResourcePolicy, type ResourceEvaluation } from './resource-policy.ts';
import type { Requirement, ResourceLookup } from './rules/rule.ts';
import { serviceRules } from './rules/rules.ts';

export interface AuthorizerOptions {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly lookup: ResourceLookup;
  readonly policiesOf: (principal: Principal) => readonly PolicyDocument[];
  /** The role behind a session; undefined for a user. */
  readonly roleArnOf: (principal: Principal) => string | undefined;
  /** The policy that stands on a resource: a queue's, a topic's, a role's trust policy. */
  readonly resourcePolicyOf: (arn: string) => PolicyDocument | undefined;
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
  const context = { ...globalContext(options, principal), ...requirement.context };
  const question = { action: requirement.action, resource: requirement.resource, context };
  const identity = evaluate({ ...question, policies: options.policiesOf(principal) });
  const resource = askResource(options, principal, question);
  const trusts =
    requirement.action !== 'sts:AssumeRole' || resource?.allowed === true || resource?.delegated === true;
  const denied = (
    decision: 'explicit-deny' | 'implicit-deny',
    policyKind: 'identity-based' | 'resource-based',
  ) => denialMessage({ ...requirement, principalArn: principal.arn, decision, policyKind });
  if (identity.decision === 'explicit-deny') return denied('explicit-deny', 'identity-based');
  if (resource?.decision === 'explicit-deny') return denied('explicit-deny', 'resource-based');
  if (!trusts) return denied('implicit-deny', 'resource-based');
  return allowed(identity, resource) ? undefined : denied('implicit-deny', 'identity-based');
}

/** "Within the same account, an allow in either policy is enough." */
const allowed = (identity: Evaluation, resource: ResourceEvaluation | undefined): boolean =>
  identity.allowed || resource?.allowed === true;

function askResource(
  options: AuthorizerOptions,
  principal: Principal,
  question: { readonly action: string; readonly resource: string; readonly context: PolicyContext },
): ResourceEvaluation | undefined {
  const policy = options.resourcePolicyOf(question.resource);
  if (policy === undefined) return undefined;
  const { accountId, arn } = principal;
  const caller = { kind: 'principal', accountId, arn, roleArn: options.roleArnOf(principal) } as const;
  return evaluateResourcePolicy({ ...question, policy, caller });
}

function globalContext({ clock, region }: AuthorizerOptions, principal: Principal): PolicyContext {
  const now = clock.now();
  return {
    'aws:PrincipalArn': principal.arn,
    'aws:PrincipalAccount': principal.accountId,
    'aws:RequestedRegion': region,
    'aws:SecureTransport': 'true',
    'aws:ViaAWSService': 'false',
    'aws:CurrentTime': new Date(now).toISOString(),
    'aws:EpochTime': String(Math.floor(now / 1000)),
  };
}
