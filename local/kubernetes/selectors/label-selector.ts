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
  if (operator === 'Gt') return Number(value) > Number(values[0]);
  return operator === 'Lt' && Number(value) < Number(values[0]);
}

/** The `labelSelector` of a query: `a=b,c!=d,e in (f,g),h,!i`. Throws 400 when it cannot be read. */
export function parseLabelSelector(text: string): LabelMatch {
  const expressions = splitTerms(text).map(parseTerm);
  return (labels) => expressions.every((expression) => holds(expression, labels));
}

function splitTerms(text: string): readonly string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
}

function parseTerm(term: string): Expression {
  const set = /^([\w./-]+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(term);
  if (set !== null) {
    const values = (set[3] ?? '').split(',').map((value) => value.trim());
    return { key: set[1] ?? '', operator: set[2] === 'in' ? 'In' : 'NotIn', values };
  }
  const comparison = /^([\w./-]+)\s*(!=|==|=|>|<)\s*([\w.-]*)$/.exec(term);
  if (comparison !== null) {
    const operator = { '!=': 'NotIn', '>': 'Gt', '<': 'Lt' }[comparison[2] ?? ''] ?? 'In';
    return { key: comparison[1] ?? '', operator, values: [comparison[3] ?? ''] };
  }
  const presence = /^(!?)\s*([\w./-]+)$/.exec(term);
  if (presence === null)
    throw badRequest(`unable to parse requirement: found '${term}', expected: identifier`);
  return { key: presence[2] ?? '', operator: presence[1] === '!' ? 'DoesNotExist' : 'Exists' };
}
