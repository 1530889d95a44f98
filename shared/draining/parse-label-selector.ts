import { type LabelRequirement, wholeNumber } from './label-selector.ts';

/** A selector that kubectl would refuse too. */
export class LabelSelectorError extends Error {
  override readonly name = 'LabelSelectorError';
}

const part = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const prefix = String.raw`(?=[^/\s]{1,253}/)${part}(?:\.${part})*/`;
const key = String.raw`(?:${prefix})?[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?`;
const value = String.raw`(?:[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?)?`;

type Read = (match: RegExpExecArray) => LabelRequirement;

const named = (match: RegExpExecArray, group: number): string => match[group] ?? '';

/** Every form of one requirement, from `kubectl get --help` and the labels-and-selectors concept page. */
const forms: readonly (readonly [RegExp, Read])[] = [
  [new RegExp(`^(${key})$`), (match) => ({ key: named(match, 1), operator: 'Exists', values: [] })],
  [
    new RegExp(`^!\\s*(${key})$`),
    (match) => ({ key: named(match, 1), operator: 'DoesNotExist', values: [] }),
  ],
  [new RegExp(`^(${key})\\s*={1,2}\\s*(${value})$`), (match) => oneValue(match, 'In')],
  [new RegExp(`^(${key})\\s*!=\\s*(${value})$`), (match) => oneValue(match, 'NotIn')],
  [new RegExp(`^(${key})\\s*>\\s*(\\d{1,63})$`), (match) => oneNumber(match, 'GreaterThan')],
  [new RegExp(`^(${key})\\s*<\\s*(\\d{1,63})$`), (match) => oneNumber(match, 'LessThan')],
  [new RegExp(`^(${key})\\s+in\\s*\\(([^()]*)\\)$`), (match) => manyValues(match, 'In')],
  [new RegExp(`^(${key})\\s+notin\\s*\\(([^()]*)\\)$`), (match) => manyValues(match, 'NotIn')],
];

const oneValue = (match: RegExpExecArray, operator: LabelRequirement['operator']): LabelRequirement => ({
  key: named(match, 1),
  operator,
  values: [named(match, 2)],
});

function oneNumber(match: RegExpExecArray, operator: LabelRequirement['operator']): LabelRequirement {
  const text = named(match, 2);
  if (wholeNumber(text) === undefined) throw new LabelSelectorError(`${text} is too large a number`);
  return oneValue(match, operator);
}

function manyValues(match: RegExpExecArray, operator: 'In' | 'NotIn'): LabelRequirement {
  const values = named(match, 2)
    .split(',')
    .map((item) => item.trim());
  const wrong = values.find((item) => !new RegExp(`^${value}$`).test(item));
  if (wrong !== undefined) throw new LabelSelectorError(`"${wrong}" is not a label value`);
  return { key: named(match, 1), operator, values };
}

/**
 * Parses a selector as kubectl's `--selector` and `--pod-selector` do: `app=web,tier in (front,back),!legacy`. An empty text selects
 * everything.
 *
 * @throws LabelSelectorError with the part that cannot be parsed.
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  if (text.trim() === '') return [];
  return splitOutsideBrackets(text).map(readRequirement);
}

function readRequirement(part: string): LabelRequirement {
  for (const [pattern, read] of forms) {
    const match = pattern.exec(part);
    if (match) return read(match);
  }
  throw new LabelSelectorError(
    `"${part}" is not a label requirement; write key=value, key!=value, key in (a,b), key notin (a,b), key or !key`,
  );
}

/** Splits at commas, except those between values in brackets. */
function splitOutsideBrackets(text: string): readonly string[] {
  const parts: string[] = [];
  let begin = 0;
  let isInside = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '(') isInside = true;
    else if (character === ')') isInside = false;
    else if (character === ',' && !isInside) {
      parts.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  return [...parts, text.slice(begin)].map((part) => part.trim());
}
