import { eventsErrors } from './errors.ts';
import { isRecord, type Json } from './json.ts';
import { comparable } from './numeric.ts';
import { hasAffix, ignoringCase, operandText, type TextTest, type ValueTest } from './text-operators.ts';
import { wildcardTest } from './wildcard-operator.ts';

/**
 * Every value but those named: text or numbers, or what an operator on text fits, one or a list of them. Throws
 * InvalidEventPatternException.
 */
export function anythingBut(operand: Json): ValueTest {
  if (isRecord(operand)) return anythingThatFitsNone(operand);
  const unwanted = asList(operand);
  if (unwanted.length > 0 && unwanted.every((one) => typeof one === 'string'))
    return (candidate) => typeof candidate !== 'string' || !unwanted.includes(candidate);
  if (unwanted.length > 0 && unwanted.every((one) => typeof one === 'number')) return noneOf(unwanted);
  throw eventsErrors.invalidPattern(
    'Inside anything but list, either all values are number or string, mixed type is not supported',
  );
}

function noneOf(unwanted: readonly number[]): ValueTest {
  const numbers = unwanted.map((one) => comparable(one));
  if (numbers.includes(undefined))
    throw eventsErrors.invalidPattern('Value must be between -5.0E9 and 5.0E9');
  return (candidate) => typeof candidate !== 'number' || !numbers.includes(comparable(candidate));
}

/** What is not text fits none of these operators. */
function anythingThatFitsNone(operand: Readonly<Record<string, Json>>): ValueTest {
  const [[operator, inner] = ['', null], ...others] = Object.entries(operand);
  if (others.length > 0) throw eventsErrors.invalidPattern('Only one key allowed in match expression');
  const tests = asList(inner).map((one) => textTest(operator, operandText(operator, one)));
  if (tests.length === 0) throw eventsErrors.invalidPattern('Empty arrays are not allowed');
  return (candidate) => typeof candidate !== 'string' || !tests.some((test) => test(candidate));
}

function textTest(operator: string, wanted: string): TextTest {
  switch (operator) {
    case 'prefix':
    case 'suffix':
      if (wanted === '') throw eventsErrors.invalidPattern('Null prefix/suffix not allowed');
      return hasAffix(operator, wanted);
    case 'equals-ignore-case':
      return ignoringCase(wanted);
    case 'wildcard':
      return wildcardTest(wanted);
    default:
      throw eventsErrors.invalidPattern(`Unsupported anything-but pattern: ${operator}`);
  }
}

const asList = (operand: Json): readonly Json[] => (Array.isArray(operand) ? operand : [operand]);
