import { glob } from './glob.ts';

export interface Comparison {
  readonly matches: (actual: string, expected: string) => boolean;
  /** A `...Not...` operator: none of the values may match. */
  readonly negated: boolean;
}

type Matches = Comparison['matches'];

const equals: Matches = (actual, expected) => actual === expected;
const equalsIgnoreCase: Matches = (actual, expected) => actual.toLowerCase() === expected.toLowerCase();
const like: Matches = (actual, expected) => glob(expected, actual);

const arnParts = (arn: string): string[] => {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
};

/** "Each of the six colon-delimited components of the ARN is checked separately and each can include * or ?". */
const arnLike: Matches = (actual, expected) => {
  const actualParts = arnParts(actual);
  return arnParts(expected).every((part, index) => glob(part, actualParts[index] ?? ''));
};

const numeric =
  (holds: (actual: number, expected: number) => boolean): Matches =>
  (actual, expected) =>
    actual.trim() !== '' && expected.trim() !== '' && holds(Number(actual), Number(expected));

/** ISO 8601 or seconds since the epoch. */
const instant = (text: string): number => (/^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text));

const dated =
  (holds: (actual: number, expected: number) => boolean): Matches =>
  (actual, expected) =>
    holds(instant(actual), instant(expected));

type Order = readonly [string, (actual: number, expected: number) => boolean];

const orders: readonly Order[] = [
  ['Equals', (actual, expected) => actual === expected],
  ['LessThan', (actual, expected) => actual < expected],
  ['LessThanEquals', (actual, expected) => actual <= expected],
  ['GreaterThan', (actual, expected) => actual > expected],
  ['GreaterThanEquals', (actual, expected) => actual >= expected],
];

const positive = (matches: Matches): Comparison => ({ matches, negated: false });
const negative = (matches: Matches): Comparison => ({ matches, negated: true });
const ordered = (prefix: string, make: (holds: Order[1]) => Matches): Array<[string, Comparison]> => [
  ...orders.map(([name, holds]): [string, Comparison] => [`${prefix}${name}`, positive(make(holds))]),
  [`${prefix}NotEquals`, negative(make((actual, expected) => actual === expected))],
];

/** Condition operators by name, without their quantifier and IfExists. */
export const comparisons: Readonly<Record<string, Comparison>> = {
  StringEquals: positive(equals),
  StringNotEquals: negative(equals),
  StringEqualsIgnoreCase: positive(equalsIgnoreCase),
  StringNotEqualsIgnoreCase: negative(equalsIgnoreCase),
  StringLike: positive(like),
  StringNotLike: negative(like),
  ArnEquals: positive(arnLike),
  ArnLike: positive(arnLike),
  ArnNotEquals: negative(arnLike),
  ArnNotLike: negative(arnLike),
  Bool: positive(equalsIgnoreCase),
  ...Object.fromEntries(ordered('Numeric', numeric)),
  ...Object.fromEntries(ordered('Date', dated)),
};
