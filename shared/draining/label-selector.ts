import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.d.ts';

type Labels = Readonly<Record<string, string>> | undefined;

/** One condition on one label. All requirements of a selector must hold. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'GreaterThan' | 'LessThan';
  readonly values: readonly string[];
}

/** As in Kubernetes, a missing label meets NotIn. */
export function matchesLabels(labels: Labels, requirements: readonly LabelRequirement[]): boolean {
  return requirements.every((requirement) => meets(labels?.[requirement.key], requirement));
}

function meets(value: string | undefined, { operator, values }: LabelRequirement): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'GreaterThan':
      return isInOrder(values[0], value);
    case 'LessThan':
      return isInOrder(value, values[0]);
    default:
      return operator satisfies never;
  }
}

/** Both are whole numbers, and the first is less than the second. */
function isInOrder(lesser: string | undefined, greater: string | undefined): boolean {
  const [from, to] = [wholeNumber(lesser), wholeNumber(greater)];
  return from !== undefined && to !== undefined && from < to;
}

const greatest = 2n ** 63n - 1n;

/** The value of a label as the API server compares it with numbers: 64 bits; undefined if it is not such a number. */
export function wholeNumber(value: string | undefined): bigint | undefined {
  if (value === undefined || !/^-?\d+$/.test(value)) return undefined;
  const number = BigInt(value);
  return number <= greatest && number >= -greatest ? number : undefined;
}

/** The requirements of a metav1.LabelSelector; undefined if one of them is invalid, so that the selector matches nothing. */
export function requirementsOf(selector: LabelSelector): readonly LabelRequirement[] | undefined {
  const expressions = (selector.matchExpressions ?? []).map(expressionOf);
  if (expressions.includes(undefined)) return undefined;
  const labels = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): LabelRequirement => ({ key, operator: 'In', values: [value] }),
  );
  return [...labels, ...expressions.filter((expression) => expression !== undefined)];
}

function expressionOf({ key, operator, values }: LabelSelectorRequirement): LabelRequirement | undefined {
  const count = values?.length ?? 0;
  if ((operator === 'In' || operator === 'NotIn') && count > 0)
    return { key, operator, values: values ?? [] };
  if ((operator === 'Exists' || operator === 'DoesNotExist') && count === 0)
    return { key, operator, values: [] };
  return undefined;
}
