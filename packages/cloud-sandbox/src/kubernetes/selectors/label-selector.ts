import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import { integerOf } from './integers.ts';
import { parseRequirements } from './label-query.ts';

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

/** The `labelSelector` of a query: `a=b,c!=d,e in (f,g),h,!i`; blank: all. Throws 400 when it cannot be read. */
export function parseLabelSelector(text: string): LabelMatch {
  const requirements = parseRequirements(text);
  return (labels) => requirements.every((requirement) => holds(requirement, labels));
}
