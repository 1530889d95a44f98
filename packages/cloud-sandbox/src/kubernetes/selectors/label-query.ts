import { badRequest } from '../api/errors.ts';
import { labelValueProblems, qualifiedNameProblems } from '../registry/names.ts';
import { integerOf } from './integers.ts';
import { createTokens, type Tokens } from './label-tokens.ts';

export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

const operators: Readonly<Record<string, string>> = {
  in: 'In',
  notin: 'NotIn',
  '=': 'In',
  '==': 'In',
  '!=': 'NotIn',
  '>': 'Gt',
  '<': 'Lt',
};

/** The `labelSelector` of a query, as apimachinery's pkg/labels/selector.go reads it. Throws 400 in its words. */
export function parseRequirements(text: string): readonly Requirement[] {
  const tokens = createTokens(text);
  const requirements: Requirement[] = [];
  while (!tokens.isAtEnd()) {
    if (!tokens.isIdentifier() && tokens.peek() !== '!')
      throw badRequest(`found '${tokens.peek()}', expected: !, identifier, or 'end of string'`);
    requirements.push(parseRequirement(tokens));
    if (tokens.isAtEnd()) break;
    const next = tokens.take();
    if (next !== ',') throw badRequest(`found '${next}', expected: ',' or 'end of string'`);
    if (!tokens.isIdentifier() && tokens.peek() !== '!')
      throw badRequest(`found '${tokens.peek()}', expected: identifier after ','`);
  }
  return requirements;
}

const refused = (problem: string) => badRequest(`unable to parse requirement: ${problem}`);

function parseRequirement(tokens: Tokens): Requirement {
  const isAbsent = tokens.peek() === '!';
  if (isAbsent) tokens.take();
  const key = takeIdentifier(tokens);
  const [problem] = qualifiedNameProblems(key);
  if (problem !== undefined) throw refused(`<nil>: Invalid value: "${key}": ${problem}`);
  const isAlone = tokens.isAtEnd() || tokens.peek() === ',';
  if (isAlone) return { key, operator: isAbsent ? 'DoesNotExist' : 'Exists', values: [] };
  const sign = tokens.take();
  const operator = operators[sign];
  if (operator === undefined) throw refused(`found '${sign}', expected: in, notin, =, ==, !=, gt, lt`);
  const values = sign === 'in' || sign === 'notin' ? takeValues(tokens) : [takeValue(tokens)];
  checkValues(key, operator, values);
  return { key, operator, values };
}

function takeIdentifier(tokens: Tokens): string {
  const isIdentifier = tokens.isIdentifier();
  const token = tokens.take();
  if (!isIdentifier) throw refused(`found '${token}', expected: identifier`);
  return token;
}

function takeValue(tokens: Tokens): string {
  return tokens.isAtEnd() || tokens.peek() === ',' ? '' : takeIdentifier(tokens);
}

/** `(a,b)`; nothing between commas is the empty value. */
function takeValues(tokens: Tokens): readonly string[] {
  const open = tokens.take();
  if (open !== '(') throw refused(`found '${open}' expected: '('`);
  const values: string[] = [];
  for (;;) {
    if (!tokens.isIdentifier() && tokens.peek() !== ',' && tokens.peek() !== ')')
      throw refused(`found '${tokens.peek()}', expected: ',', ')' or identifier`);
    values.push(tokens.isIdentifier() ? tokens.take() : '');
    const next = tokens.take();
    if (next === ')') return values;
    if (next !== ',') throw refused(`found '${next}', expected: ',' or ')'`);
  }
}

function checkValues(key: string, operator: string, values: readonly string[]): void {
  const isNumeric = operator === 'Gt' || operator === 'Lt';
  for (const [place, value] of values.entries()) {
    if (isNumeric && integerOf(value) === undefined)
      throw refused(
        `values[${place}]: Invalid value: "${value}": for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    const [problem] = labelValueProblems(value);
    if (problem !== undefined)
      throw refused(`values[${place}][${key}]: Invalid value: "${value}": ${problem}`);
  }
}
