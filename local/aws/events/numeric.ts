import { eventsErrors } from './errors.ts';
import type { Json } from './json.ts';

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/** `["=", 5]`, `[">", 0]` or a range `[">", 0, "<=", 5]`. Throws InvalidEventPatternException. */
export function numericTest(operand: Json): (value: Json) => boolean {
  if (!Array.isArray(operand) || operand.length === 0 || operand.length % 2 !== 0 || operand.length > 4) {
    throw eventsErrors.invalidPattern('Value of numeric must be an array of operators and numbers');
  }
  const tests: ((value: number) => boolean)[] = [];
  for (let index = 0; index < operand.length; index += 2) {
    tests.push(comparison(operand[index] as Json, operand[index + 1] as Json));
  }
  return (value) => typeof value === 'number' && tests.every((test) => test(value));
}

function comparison(operator: Json, bound: Json): (value: number) => boolean {
  const compare = typeof operator === 'string' ? comparisons[operator] : undefined;
  if (compare === undefined)
    throw eventsErrors.invalidPattern(`Unrecognized numeric range operator: ${JSON.stringify(operator)}`);
  if (typeof bound !== 'number') throw eventsErrors.invalidPattern('Value of numeric must be a number');
  return (value) => compare(value, bound);
}
