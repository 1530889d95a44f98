import { AwsError } from '../service.ts';

/** Whether a line of a log matches. */
export type LinePredicate = (line: string) => boolean;
type Predicate = (value: unknown) => boolean;

const token = /\s*(\(|\)|&&|\|\||!=|=|\$(?:\.[\w-]+|\[\d+\])+|"(?:\\.|[^"\\])*"|[\w.*:/-]+)/y;

/**
 * A filter pattern over JSON lines: `{ ($.a.b[0] = "x*" || $.c != "y") && $.d = "z" }`. Numbers, regular expressions, `IS NULL` and terms of text are
 * not simulated. A line that is not JSON never matches.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 *
 * @throws AwsError InvalidParameterException
 */
export function readFilterPattern(pattern: string | undefined): LinePredicate {
  const text = pattern?.trim() ?? '';
  if (text === '') return () => true;
  if (text.length > 1024 || !text.startsWith('{') || !text.endsWith('}')) throw invalidPattern();
  const matches = parse(tokensOf(text.slice(1, -1)));
  return (line) => {
    const value = parseJson(line);
    return value !== undefined && matches(value);
  };
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    token.lastIndex = at;
    const found = token.exec(text);
    if (found?.[1] === undefined) throw invalidPattern();
    tokens.push(found[1]);
    at = token.lastIndex;
  }
  return tokens;
}

/** `&&` binds more tightly than `||`. */
function parse(tokens: string[]): Predicate {
  const any = (): Predicate => {
    const parts = [all()];
    while (tokens[0] === '||') {
      tokens.shift();
      parts.push(all());
    }
    return (value) => parts.some((part) => part(value));
  };
  const all = (): Predicate => {
    const parts = [one()];
    while (tokens[0] === '&&') {
      tokens.shift();
      parts.push(one());
    }
    return (value) => parts.every((part) => part(value));
  };
  const one = (): Predicate => {
    const first = tokens.shift() ?? '';
    if (first !== '(') return comparison(first, tokens.shift(), tokens.shift());
    const inner = any();
    if (tokens.shift() !== ')') throw invalidPattern();
    return inner;
  };
  const whole = any();
  if (tokens.length > 0) throw invalidPattern();
  return whole;
}

function comparison(selector: string, operator: string | undefined, operand: string | undefined): Predicate {
  const isComparison = selector.startsWith('$') && (operator === '=' || operator === '!=');
  if (!isComparison || operand === undefined || /^(?:[()]|&&|\|\|)$/.test(operand)) throw invalidPattern();
  const path = [...selector.matchAll(/\.([\w-]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index ?? '');
  const words = (operand.startsWith('"') ? operand.slice(1, -1).replaceAll(/\\(.)/g, '$1') : operand).split(
    '*',
  );
  const expected = new RegExp(`^${words.map((word) => escaped(word)).join('.*')}$`, 's');
  return (value) => {
    const found = path.reduce<unknown>(memberOf, value);
    const isEqual = (typeof found === 'string' || typeof found === 'number') && expected.test(String(found));
    return found !== undefined && isEqual === (operator === '=');
  };
}

const escaped = (word: string): string => word.replaceAll(/[\\^$.+?()[\]{}|/-]/g, String.raw`\$&`);

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Lambda's runtime writes text too.
    return undefined;
  }
}

const invalidPattern = (): AwsError =>
  new AwsError({ code: 'InvalidParameterException', message: 'Invalid filter pattern' });
