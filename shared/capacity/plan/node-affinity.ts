import type { NodeSelectorRequirement, NodeSelectorTerm } from 'kubernetes-types/core/v1.d.ts';
import { type LabelRequirement, matchesLabels, wholeNumber } from '../../draining/label-selector.ts';
import type { Labels, PlannedNode, PlannedPod } from './types.ts';

/** Whether the node has the labels that the nodeSelector and the required node affinity of a pod ask for, in each zone that it may be in. */
export const selectsNode = (
  { nodeSelector, nodeTerms }: Pick<PlannedPod, 'nodeSelector' | 'nodeTerms'>,
  { name, labelSets }: Pick<PlannedNode, 'name' | 'labelSets'>,
): boolean =>
  labelSets.every(
    (labels) =>
      Object.entries(nodeSelector).every(([key, value]) => labels[key] === value) &&
      (nodeTerms === undefined || nodeTerms.some((term) => matchesTerm(term, name, labels))),
  );

/** The names that the terms allow; undefined if one of them allows nodes of any name. The scheduler looks at no other node then. */
export function namesIn(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  const all = terms.map(namesInTerm);
  return all.includes(undefined) ? undefined : new Set(all.flatMap((names) => names ?? []));
}

/** The names that all requirements of the term allow; undefined without such a requirement. */
function namesInTerm({ matchFields }: NodeSelectorTerm): readonly string[] | undefined {
  const [first, ...others] = (matchFields ?? [])
    .filter(({ key, operator }) => key === 'metadata.name' && operator === 'In')
    .map(({ values }) => values ?? []);
  return first?.filter((name) => others.every((names) => names.includes(name)));
}

/** Whether one of the terms matches, in each zone that the node may be in. */
export const matchesTerms = (
  terms: readonly NodeSelectorTerm[],
  { name, labelSets }: Pick<PlannedNode, 'name' | 'labelSets'>,
): boolean => labelSets.every((labels) => terms.some((term) => matchesTerm(term, name, labels)));

/** As in Kubernetes, a term without requirements matches no node, and neither does one with an invalid requirement. */
function matchesTerm(
  { matchExpressions, matchFields }: NodeSelectorTerm,
  name: string,
  labels: Labels,
): boolean {
  const expressions = matchExpressions ?? [];
  const fields = matchFields ?? [];
  if (expressions.length + fields.length === 0) return false;
  return (
    expressions.every((expression) => meets(expression, labels)) &&
    fields.every((field) => isField(field) && meets(field, { 'metadata.name': name }))
  );
}

/** The only field that node affinity knows is the name, and only with one value. */
const isField = ({ key, operator, values }: NodeSelectorRequirement): boolean =>
  key === 'metadata.name' && (operator === 'In' || operator === 'NotIn') && values?.length === 1;

function meets(requirement: NodeSelectorRequirement, labels: Labels): boolean {
  const known = requirementOf(requirement);
  return known !== undefined && matchesLabels(labels, [known]);
}

/** Undefined for a requirement that the API server would refuse. */
function requirementOf({ key, operator, values }: NodeSelectorRequirement): LabelRequirement | undefined {
  const given = values ?? [];
  switch (operator) {
    case 'In':
    case 'NotIn':
      return given.length > 0 ? { key, operator, values: given } : undefined;
    case 'Exists':
    case 'DoesNotExist':
      return given.length === 0 ? { key, operator, values: [] } : undefined;
    case 'Gt':
    case 'Lt':
      return given.length === 1 && wholeNumber(given[0]) !== undefined
        ? { key, operator: operator === 'Gt' ? 'GreaterThan' : 'LessThan', values: given }
        : undefined;
    default:
      return undefined;
  }
}
