import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import { badRequest } from '../api/errors.ts';

export type Labels = Readonly<Record<string, string>> | undefined;
export type LabelMatch = (labels: Labels) => boolean;

/** A LabelSelector of a spec, as metav1.LabelSelectorAsSelector reads it: without one nothing matches, an empty one takes all. */
export function matchesSelector(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const exact = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels?.[key] === value);
  return exact && (selector.matchExpressions ?? []).every((expression) => holds(expression, labels));
}

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`, `Lt`; an unknown operator matches nothing. */
export function holds({ key, operator, values = [] }: Expression, labels: Labels): boolean {
  const value = labels?.[key];
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  if (value === undefined) return false;
  if (operator === 'In') return values.includes(value);
  const [actual, limit] = [integerOf(value), integerOf(values[0] ?? '')];
  if (actual === undefined || limit === undefined) return false;
  return operator === 'Gt' ? actual > limit : operator === 'Lt' && actual < limit;
}

/** What has more than 64 bits is none. */
function integerOf(text: string): bigint | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/**
 * The `labelSelector` of a query, as labels.Parse reads it: `a=b,c!=d,e in (f,g),h,!i`; blank: all. Throws 400 when it
 * cannot be read.
 */
export function parseLabelSelector(text: string): LabelMatch {
  const terms = text.trim() === '' ? [] : text.split(/,(?![^(]*\))/);
  const expressions = terms.map((term) => parseTerm(term.trim()));
  return (labels) => expressions.every((expression) => holds(expression, labels));
}

const word = '[^\\s=!<>,()]';
const setTerm = new RegExp(`^(${word}+)\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const comparisonTerm = new RegExp(`^(${word}+)\\s*(!=|==|=|>|<)\\s*(${word}*)$`);
const presenceTerm = new RegExp(`^(!?)\\s*(${word}+)$`);
const operators: Readonly<Record<string, string>> = { '!=': 'NotIn', '>': 'Gt', '<': 'Lt', notin: 'NotIn' };

function parseTerm(term: string): Expression {
  const set = setTerm.exec(term);
  if (set !== null) {
    const values = (set[3] ?? '').split(',').map((value) => value.trim());
    return checked({ key: set[1] ?? '', operator: operators[set[2] ?? ''] ?? 'In', values });
  }
  const comparison = comparisonTerm.exec(term);
  if (comparison !== null) {
    const operator = operators[comparison[2] ?? ''] ?? 'In';
    return checked({ key: comparison[1] ?? '', operator, values: [comparison[3] ?? ''] });
  }
  const presence = presenceTerm.exec(term);
  if (presence === null)
    throw badRequest(`unable to parse requirement: found '${term}', expected: identifier`);
  return checked({ key: presence[2] ?? '', operator: presence[1] === '!' ? 'DoesNotExist' : 'Exists' });
}

const name = /^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Throws 400 where a key is no qualified name, a value no label value, or a number none. */
function checked(expression: Expression): Expression {
  const { key, operator, values = [] } = expression;
  const steps = key.split('/');
  const prefix = steps.length === 1 ? 'none' : (steps[0] ?? '');
  const isKey = steps.length <= 2 && name.test(steps.at(-1) ?? '') && isSubdomain(prefix);
  if (!isKey) throw badRequest(`unable to parse requirement: <nil>: Invalid value: "${key}"`);
  const isNumeric = operator === 'Gt' || operator === 'Lt';
  const wrong = values.find((value) => !isValue(value) || (isNumeric && integerOf(value) === undefined));
  if (wrong === undefined) return expression;
  throw badRequest(`unable to parse requirement: values[0]: Invalid value: "${wrong}"`);
}

const isSubdomain = (text: string): boolean => text.length <= 253 && subdomain.test(text);
const isValue = (text: string): boolean => text === '' || name.test(text);
