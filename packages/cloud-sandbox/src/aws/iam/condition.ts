import { AwsError } from '../service.ts';
import { comparisons } from './comparisons.ts';
import { contextValue, type PolicyContext } from './context.ts';
import type { Variables } from './policy-text.ts';

type Quantifier = 'ForAllValues' | 'ForAnyValue';

/** One line of a Condition block: an operator, the key that it asks about, and the values that satisfy it. */
export interface Condition {
  readonly operator: string;
  readonly quantifier: Quantifier | undefined;
  readonly ifExists: boolean;
  readonly key: string;
  readonly values: readonly string[];
}

type Scalar = string | number | boolean;
type ConditionBlock = Readonly<Record<string, Readonly<Record<string, Scalar | readonly Scalar[]>>>>;

const operatorPattern = /^(?:(ForAllValues|ForAnyValue):)?([A-Za-z]+?)(IfExists)?$/;

/** Throws MalformedPolicyDocument for an operator that is not evaluated here. */
export function readConditions(block: ConditionBlock): Condition[] {
  return Object.entries(block).flatMap(([name, keys]) => {
    const [, quantifier, operator = '', ifExists] = operatorPattern.exec(name) ?? [];
    if (operator !== 'Null' && !Object.hasOwn(comparisons, operator)) {
      const message = `The condition operator ${name} is not known to the IAM of this sandbox.`;
      throw new AwsError({ code: 'MalformedPolicyDocument', message });
    }
    return Object.entries(keys).map(([key, values]) => ({
      operator,
      quantifier: quantifier as Quantifier | undefined,
      ifExists: ifExists !== undefined,
      key,
      values: [values].flat().map(String),
    }));
  });
}

/**
 * Whether a request satisfies a condition (IAM user guide, "Condition operators" and "Set operators for multivalued
 * context keys"): a key that is missing satisfies negated operators, IfExists and ForAllValues, and no other. A key of
 * several values needs a set operator.
 */
export function satisfies(condition: Condition, context: PolicyContext, variables: Variables): boolean {
  const { operator, quantifier, key, values } = condition;
  const actual = contextValue(context, key);
  if (operator === 'Null')
    return values.some((value) => value.toLowerCase() === String(actual === undefined));
  const comparison = comparisons[operator];
  if (comparison === undefined) return false;
  const list = [actual ?? []].flat();
  if (list.length === 0) return satisfiedByMissing(condition, comparison.negated);
  const holds = (value: string): boolean =>
    values.some((expected) => comparison.matches(value, expected, variables)) !== comparison.negated;
  if (quantifier === undefined) return typeof actual === 'string' && holds(actual);
  return quantifier === 'ForAllValues' ? list.every(holds) : list.some(holds);
}

const satisfiedByMissing = ({ quantifier, ifExists }: Condition, negated: boolean): boolean => {
  if (quantifier === 'ForAnyValue') return false;
  return quantifier === 'ForAllValues' || ifExists || negated;
};
