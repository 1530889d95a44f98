import { AwsError } from '../service.ts';
import { comparisons } from './comparisons.ts';
import { contextValues, type PolicyContext, substitute } from './context.ts';

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
 * context keys"): a key that is missing satisfies negated operators, IfExists and ForAllValues, and no other.
 */
export function satisfies(condition: Condition, context: PolicyContext): boolean {
  const actual = contextValues(context, condition.key);
  if (condition.operator === 'Null') return (actual === undefined) === (condition.values[0] === 'true');
  const comparison = comparisons[condition.operator];
  if (comparison === undefined) return false;
  if (actual === undefined || actual.length === 0) return satisfiedByMissing(condition, comparison.negated);
  const expected = condition.values.flatMap((value) => substitute(value, context) ?? []);
  const holds = (value: string): boolean =>
    expected.some((pattern) => comparison.matches(value, pattern)) !== comparison.negated;
  return condition.quantifier === 'ForAllValues' || (condition.quantifier === undefined && comparison.negated)
    ? actual.every(holds)
    : actual.some(holds);
}

const satisfiedByMissing = ({ quantifier, ifExists }: Condition, negated: boolean): boolean => {
  if (quantifier === 'ForAnyValue') return false;
  return quantifier === 'ForAllValues' || ifExists || negated;
};
