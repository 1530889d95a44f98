import { decide, type Evaluation, type PolicyQuestion } from './evaluate.ts';
import type { PolicyDocument, Statement } from './policy.ts';

/** The caller, in the terms of a resource policy. */
export type Caller =
  | { readonly kind: 'service' /** `events.amazonaws.com` */; readonly service: string }
  | {
      readonly kind: 'principal';
      readonly accountId: string;
      /** A user, or a role session as `arn:aws:sts::...:assumed-role/...`. */
      readonly arn: string;
      /** The role behind a session. */
      readonly roleArn: string | undefined;
    };

export interface ResourceEvaluation extends Evaluation {
  /** The policy only says that the account may decide: an identity policy of the caller must allow too. */
  readonly delegated: boolean;
}

/**
 * Evaluates a resource's own policy for a caller of the same account (IAM user guide, "Principal"). A statement for the
 * caller, its role or `*` grants the access. One for the account leaves the decision to identity policies. A deny wins.
 */
export function evaluateResourcePolicy(
  question: PolicyQuestion & { readonly policy: PolicyDocument; readonly caller: Caller },
): ResourceEvaluation {
  const { policy, caller } = question;
  const direct = policy.filter((statement) => names(statement, directNames(caller)));
  const account = policy.filter((statement) => names(statement, accountNames(caller)));
  const both = decide([...direct, ...account], question);
  if (both.decision === 'explicit-deny') return { ...both, delegated: false };
  const own = decide(direct, question);
  return own.allowed ? { ...own, delegated: false } : { ...both, allowed: false, delegated: both.allowed };
}

interface PrincipalNames {
  readonly kind: 'AWS' | 'Service';
  readonly names: readonly string[];
}

const directNames = (caller: Caller): PrincipalNames =>
  caller.kind === 'service'
    ? { kind: 'Service', names: [caller.service] }
    : { kind: 'AWS', names: ['*', caller.arn, ...(caller.roleArn === undefined ? [] : [caller.roleArn])] };

const accountNames = (caller: Caller): PrincipalNames =>
  caller.kind === 'service'
    ? { kind: 'Service', names: [] }
    : { kind: 'AWS', names: [caller.accountId, `arn:aws:iam::${caller.accountId}:root`] };

function names({ principals }: Statement, wanted: PrincipalNames): boolean {
  const named = [...(principals?.[wanted.kind] ?? []), ...everyone(principals)];
  return named.some((name) => wanted.names.includes(name) || name === everyoneName);
}

const everyoneName = '*';

/** `"Principal": "*"` means services of AWS too. */
const everyone = (principals: Statement['principals']): readonly string[] =>
  (principals?.['AWS'] ?? []).filter((name) => name === everyoneName);
