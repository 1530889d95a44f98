import { type Block, matchesCidr, parseCidr } from './cidr.ts';
import { eventsErrors } from './errors.ts';
import { isRecord, type Json } from './json.ts';
import { numericTest } from './numeric.ts';

/** Is a single value of the event what the pattern asks for? */
type ValueTest = (value: Json) => boolean;

/** What one entry of a pattern's list asks: of the value, or of there being one. */
export type Matcher =
  | { readonly kind: 'value'; readonly test: ValueTest }
  | { readonly kind: 'exists'; readonly exists: boolean };

const value = (test: ValueTest): Matcher => ({ kind: 'value', test });
const ofString =
  (test: (text: string) => boolean): ValueTest =>
  (candidate) =>
    typeof candidate === 'string' && test(candidate);

/**
 * One entry of a list in an event pattern. Throws InvalidEventPatternException.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function parseMatcher(entry: Json): Matcher {
  if (!isRecord(entry)) {
    if (Array.isArray(entry))
      throw eventsErrors.invalidPattern('Match value must be String, number, true, false, or null');
    return value((candidate) => candidate === entry);
  }
  const [[operator, operand] = ['', null], ...others] = Object.entries(entry);
  if (others.length > 0) throw eventsErrors.invalidPattern('Only one key allowed in match expression');
  if (operator === 'exists') return existence(operand);
  if (operator === 'anything-but') return value(anythingBut(operand));
  return value(operatorTest(operator, operand));
}

function existence(operand: Json): Matcher {
  if (typeof operand !== 'boolean')
    throw eventsErrors.invalidPattern('exists match pattern must be either true or false');
  return { kind: 'exists', exists: operand };
}

function operatorTest(operator: string, operand: Json): ValueTest {
  switch (operator) {
    case 'prefix':
      return ofString(affixTest(operator, operand, (text, affix) => text.startsWith(affix)));
    case 'suffix':
      return ofString(affixTest(operator, operand, (text, affix) => text.endsWith(affix)));
    case 'equals-ignore-case':
      return ofString(ignoringCase(text(operator, operand)));
    case 'wildcard':
      return ofString(wildcardTest(text(operator, operand)));
    case 'numeric':
      return numericTest(operand);
    case 'cidr':
      return cidrTest(parseCidr(text(operator, operand)));
    default:
      throw eventsErrors.invalidPattern(`Unrecognized match type ${operator}`);
  }
}

const cidrTest = (block: Block): ValueTest => ofString((candidate) => matchesCidr(candidate, block));

function text(operator: string, operand: Json): string {
  if (typeof operand !== 'string')
    throw eventsErrors.invalidPattern(`${operator} match pattern must be a string`);
  return operand;
}

const ignoringCase = (wanted: string): ((candidate: string) => boolean) => {
  const lower = wanted.toLowerCase();
  return (candidate) => candidate.toLowerCase() === lower;
};

/** `{"prefix": "x"}` or `{"prefix": {"equals-ignore-case": "x"}}`. */
function affixTest(
  operator: string,
  operand: Json,
  test: (text: string, affix: string) => boolean,
): (candidate: string) => boolean {
  if (!isRecord(operand)) {
    const affix = text(operator, operand);
    return (candidate) => test(candidate, affix);
  }
  const affix = text(operator, operand['equals-ignore-case'] ?? null).toLowerCase();
  return (candidate) => test(candidate.toLowerCase(), affix);
}

/** Here only `*` is a wildcard, and a backslash escapes it. */
function wildcardTest(pattern: string): (candidate: string) => boolean {
  if (/\*\*/.test(pattern))
    throw eventsErrors.invalidPattern('Consecutive wildcard characters are not allowed');
  const pieces = pattern.match(/\\[*\\]|\*|[^*\\]+|\\/g) ?? [];
  const source = pieces.map((piece) => (piece === '*' ? '.*' : literal(piece))).join('');
  const expression = new RegExp(`^${source}$`, 's');
  return (candidate) => expression.test(candidate);
}

const literal = (piece: string): string =>
  (/^\\[*\\]$/.test(piece) ? piece.slice(1) : piece).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A value, a list of values, or an operator whose matches are left out (with one operand or a list). */
function anythingBut(operand: Json): ValueTest {
  if (isRecord(operand)) {
    const [[operator, inner] = ['', null]] = Object.entries(operand);
    const tests = asList(inner).map((one) => operatorTest(operator, one));
    return (candidate) => typeof candidate === 'string' && !tests.some((test) => test(candidate));
  }
  const unwanted = new Set(asList(operand));
  if (unwanted.size === 0) throw eventsErrors.invalidPattern('Empty arrays are not allowed');
  return (candidate) => !unwanted.has(candidate);
}

const asList = (operand: Json): readonly Json[] => (Array.isArray(operand) ? operand : [operand]);
