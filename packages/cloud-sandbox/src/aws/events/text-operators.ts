import { eventsErrors } from './errors.ts';
import { isRecord, type Json } from './json.ts';
import type { LeafValue } from './leaves.ts';

/** Is a single value of the event what the pattern asks for? */
export type ValueTest = (value: LeafValue) => boolean;

export type TextTest = (text: string) => boolean;

export const ofString =
  (test: TextTest): ValueTest =>
  (candidate) =>
    typeof candidate === 'string' && test(candidate);

/** Throws InvalidEventPatternException. */
export function operandText(operator: string, operand: Json): string {
  if (typeof operand === 'string') return operand;
  throw eventsErrors.invalidPattern(`${operator} match pattern must be a string`);
}

export const ignoringCase = (wanted: string): TextTest => {
  const lower = wanted.toLowerCase();
  return (candidate) => candidate.toLowerCase() === lower;
};

export type Affix = 'prefix' | 'suffix';

export const hasAffix = (affix: Affix, wanted: string): TextTest =>
  affix === 'prefix' ? (text) => text.startsWith(wanted) : (text) => text.endsWith(wanted);

/** `{"prefix": "x"}` or `{"prefix": {"equals-ignore-case": "x"}}`. Throws InvalidEventPatternException. */
export function affixTest(affix: Affix, operand: Json): ValueTest {
  if (!isRecord(operand)) return ofString(hasAffix(affix, operandText(affix, operand)));
  const [[operator, inner] = ['', null], ...others] = Object.entries(operand);
  if (operator !== 'equals-ignore-case' || others.length > 0)
    throw eventsErrors.invalidPattern(`Unsupported ${affix} pattern: ${Object.keys(operand).join(', ')}`);
  const test = hasAffix(affix, operandText(operator, inner).toLowerCase());
  return ofString((text) => test(text.toLowerCase()));
}
