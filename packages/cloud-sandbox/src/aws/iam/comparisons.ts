import { fitsArn } from './arn.ts';
import { fits, plainText, type Variables } from './policy-text.ts';

export interface Comparison {
  /** Variables are for text and ARNs: "You can't use a policy variable with other operators". */
  readonly matches: (actual: string, expected: string, variables: Variables) => boolean;
  /** A `...Not...` operator: none of the values may match. */
  readonly negated: boolean;
}

type Matches = Comparison['matches'];

const equals: Matches = (actual, expected, variables) => plainText(expected, variables) === actual;
const equalsIgnoreCase: Matches = (actual, expected, variables) =>
  plainText(expected, variables)?.toLowerCase() === actual.toLowerCase();
const like: Matches = (actual, expected, variables) => fits(expected, actual, variables);
const arnLike: Matches = (actual, expected, variables) => fitsArn(expected, actual, variables);

const isBoolean = (text: string): boolean => /^(?:true|false)$/i.test(text);
const bool: Matches = (actual, expected) =>
  isBoolean(expected) && actual.toLowerCase() === expected.toLowerCase();

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
  Bool: positive(bool),
  ...Object.fromEntries(ordered('Numeric', numeric)),
  ...Object.fromEntries(ordered('Date', dated)),
};
