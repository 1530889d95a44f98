import { anythingBut } from './anything-but.ts';
import { addressTest, parseCidr } from './cidr.ts';
import { eventsErrors } from './errors.ts';
import { isRecord, type Json } from './json.ts';
import type { LeafValue } from './leaves.ts';
import { comparable, numericTest } from './numeric.ts';
import { affixTest, ignoringCase, ofString, operandText, type ValueTest } from './text-operators.ts';
import { wildcardTest } from './wildcard-operator.ts';

/** What one entry of a pattern's list asks: of a value, or that there is none. */
export type Matcher = { readonly kind: 'value'; readonly test: ValueTest } | { readonly kind: 'absent' };

const value = (test: ValueTest): Matcher => ({ kind: 'value', test });

/**
 * One entry of a list in an event pattern. Throws InvalidEventPatternException.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function parseMatcher(entry: Json): Matcher {
  if (!isRecord(entry)) return value(equality(entry));
  const [[operator, operand] = ['', null], ...others] = Object.entries(entry);
  if (others.length > 0) throw eventsErrors.invalidPattern('Only one key allowed in match expression');
  if (operator === 'exists') return existence(operand);
  return value(operatorTest(operator, operand));
}

function equality(wanted: Json): ValueTest {
  if (typeof wanted === 'string') return addressTest(wanted) ?? ((candidate) => candidate === wanted);
  if (typeof wanted === 'number') return equalNumber(wanted);
  if (typeof wanted === 'object' && wanted !== null)
    throw eventsErrors.invalidPattern('Match value must be String, number, true, false, or null');
  return (candidate) => candidate === wanted;
}

const equalNumber = (wanted: number): ValueTest => {
  const compared = comparable(wanted);
  return (candidate: LeafValue) =>
    typeof candidate === 'number' &&
    (candidate === wanted || (compared !== undefined && comparable(candidate) === compared));
};

function existence(operand: Json): Matcher {
  if (typeof operand !== 'boolean')
    throw eventsErrors.invalidPattern('exists match pattern must be either true or false');
  return operand ? value(() => true) : { kind: 'absent' };
}

function operatorTest(operator: string, operand: Json): ValueTest {
  switch (operator) {
    case 'prefix':
    case 'suffix':
      return affixTest(operator, operand);
    case 'equals-ignore-case':
      return ofString(ignoringCase(operandText(operator, operand)));
    case 'wildcard':
      return ofString(wildcardTest(operandText(operator, operand)));
    case 'anything-but':
      return anythingBut(operand);
    case 'numeric':
      return numericTest(operand);
    case 'cidr':
      return parseCidr(operandText(operator, operand));
    default:
      throw eventsErrors.invalidPattern(`Unrecognized match type ${operator}`);
  }
}
