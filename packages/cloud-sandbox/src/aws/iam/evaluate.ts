import { fitsResource } from './arn.ts';
import { satisfies } from './condition.ts';
import type { PolicyContext } from './context.ts';
import { glob } from './glob.ts';
import type { PatternSet, PolicyDocument, Statement } from './policy.ts';

export interface PolicyQuestion {
  /** `service:Operation`; compared without regard to case. */
  readonly action: string;
  readonly resource: string;
  readonly context: PolicyContext;
}

export type Decision = 'allowed' | 'explicit-deny' | 'implicit-deny';

export interface Evaluation {
  readonly allowed: boolean;
  readonly decision: Decision;
  /** In words: which statement decided, or that none did. */
  readonly reason: string;
}

/**
 * Whether identity policies allow an action: a Deny that matches wins, then an Allow that matches, else it is denied
 * (IAM user guide, "Policy evaluation logic").
 */
export function evaluate(
  question: PolicyQuestion & { readonly policies: readonly PolicyDocument[] },
): Evaluation {
  return decide(question.policies.flat(), question);
}

/** The decision of the statements that match the question. */
export function decide(statements: readonly Statement[], question: PolicyQuestion): Evaluation {
  const matching = statements.filter((statement) => matches(statement, question));
  const deny = matching.find(({ effect }) => effect === 'Deny');
  if (deny !== undefined) {
    return { allowed: false, decision: 'explicit-deny', reason: `${nameOf(deny)} denies ${question.action}` };
  }
  const [allow] = matching;
  if (allow !== undefined) {
    return { allowed: true, decision: 'allowed', reason: `${nameOf(allow)} allows ${question.action}` };
  }
  const reason = `no statement allows ${question.action} on ${question.resource}`;
  return { allowed: false, decision: 'implicit-deny', reason };
}

const nameOf = ({ sid }: Statement): string => (sid === undefined ? 'a statement' : `the statement ${sid}`);

function matches(statement: Statement, { action, resource, context }: PolicyQuestion): boolean {
  const variables = statement.hasVariables ? context : undefined;
  return (
    inSet(statement.actions, (pattern) => glob(pattern.toLowerCase(), action.toLowerCase())) &&
    (statement.resources === undefined ||
      inSet(statement.resources, (pattern) => fitsResource(pattern, resource, variables))) &&
    statement.conditions.every((condition) => satisfies(condition, context, variables))
  );
}

const inSet = ({ patterns, negated }: PatternSet, fits: (pattern: string) => boolean): boolean =>
  patterns.some(fits) !== negated;
