import { eventsErrors } from './errors.ts';
import type { Json } from './json.ts';
import type { ValueTest } from './text-operators.ts';

const greatest = 5e9;

/**
 * A number as it is compared: six digits after the point, between -5e9 and 5e9 ("Numeric matching is limited to values
 * between -5.0e9 and +5.0e9 inclusive, with 15 digits of precision"); undefined for one that is not compared. The engine
 * of EventBridge counts from the least, which decides how the last digit is cut.
 */
export const comparable = (value: number): number | undefined =>
  value >= -greatest && value <= greatest ? Math.trunc(1e6 * (greatest + value)) : undefined;

interface Bound {
  readonly operator: string;
  readonly number: number;
}

type Compare = (value: number, bound: number) => boolean;

const comparisons: Readonly<Record<string, Compare>> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/** `["=", 5]`, `[">", 0]` or a range `[">", 0, "<=", 5]`. Throws InvalidEventPatternException. */
export function numericTest(operand: Json): ValueTest {
  const list: readonly Json[] = Array.isArray(operand) ? operand : [];
  if (list.length !== 2 && list.length !== 4)
    throw eventsErrors.invalidPattern('Value of numeric must be an array of operators and numbers');
  const bounds = [list.slice(0, 2), list.slice(2)].filter((pair) => pair.length > 0).map(readBound);
  checkRange(bounds);
  return (value) => {
    const compared = typeof value === 'number' ? comparable(value) : undefined;
    return (
      compared !== undefined &&
      bounds.every(({ operator, number }) => comparisons[operator]?.(compared, number))
    );
  };
}

function readBound([operator, bound]: readonly Json[]): Bound {
  if (typeof operator !== 'string' || !Object.hasOwn(comparisons, operator))
    throw eventsErrors.invalidPattern(`Unrecognized numeric range operator: ${JSON.stringify(operator)}`);
  const number = typeof bound === 'number' ? comparable(bound) : undefined;
  if (number === undefined)
    throw eventsErrors.invalidPattern(`Value of ${operator} must be numeric, between -5.0E9 and 5.0E9`);
  return { operator, number };
}

/** Where one bound is not named it is the least or the greatest number that is compared. */
function checkRange(bounds: readonly Bound[]): void {
  const [first, second] = bounds;
  if (second !== undefined && !(first?.operator.startsWith('>') && second.operator.startsWith('<')))
    throw eventsErrors.invalidPattern(`Bad numeric range operator: ${second.operator}`);
  const bottom = bounds.find(({ operator }) => operator.startsWith('>'))?.number ?? comparable(-greatest);
  const top = bounds.find(({ operator }) => operator.startsWith('<'))?.number ?? comparable(greatest);
  if (first?.operator !== '=' && Number(bottom) >= Number(top))
    throw eventsErrors.invalidPattern('Bottom must be less than top');
}
