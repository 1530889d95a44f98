import type { Node, NodeSelectorTerm, Pod, PodSpec, Taint, Toleration } from 'kubernetes-types/core/v1.d.ts';
import { holds } from '../selectors/label-selector.ts';
import type { Stored } from '../store/object.ts';
import { parseQuantity } from './quantity.ts';

/** Thousandths of a CPU, bytes, pods. */
export interface Resources {
  readonly milliCpu: number;
  readonly memoryBytes: number;
  readonly pods: number;
}

const parsed = new WeakMap<object, Resources>();

/** What pods may take of a node. Worked out once per status, for a scheduler asks very often. */
export function allocatableOf(node: Stored<Node>): Resources {
  const known = parsed.get(node.status ?? node);
  if (known !== undefined) return known;
  const allocatable = readAllocatable(node);
  parsed.set(node.status ?? node, allocatable);
  return allocatable;
}

function readAllocatable({ status }: Stored<Node>): Resources {
  const { cpu = '0', memory = '0', pods = '110' } = (status?.allocatable ?? {}) as Record<string, string>;
  return {
    milliCpu: parseQuantity(cpu) * 1000,
    memoryBytes: parseQuantity(memory),
    pods: parseQuantity(pods),
  };
}

/** What a pod asks for: the sum of its containers' requests. Init containers and overhead are left out. */
export function requestsOf({ spec }: Pod): Resources {
  const requests = (spec?.containers ?? []).map(({ resources }) => resources?.requests);
  const sum = (name: string): number =>
    requests.reduce((total, request) => total + parseQuantity(request?.[name]), 0);
  return { milliCpu: sum('cpu') * 1000, memoryBytes: sum('memory'), pods: 1 };
}

/** nodeSelector and required node affinity. */
export function selectsNode(spec: PodSpec, node: Stored<Node>): boolean {
  const labels = node.metadata.labels;
  const selected = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels?.[key] === value);
  const terms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return selected && (terms === undefined || terms.some((term) => matchesTerm(term, node)));
}

function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  node: Stored<Node>,
): boolean {
  const fields = { 'metadata.name': node.metadata.name };
  return (
    matchExpressions.every((expression) => holds(expression, node.metadata.labels)) &&
    matchFields.every((expression) => holds(expression, fields))
  );
}

/** Every taint that keeps pods off, cordons included, is tolerated. */
export function toleratesTaints(tolerations: readonly Toleration[], { spec }: Stored<Node>): boolean {
  const cordoned = spec?.unschedulable === true;
  const taints: readonly Taint[] = [
    ...(spec?.taints ?? []),
    ...(cordoned ? [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] : []),
  ];
  return taints
    .filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')
    .every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)));
}

/** The taints PreferNoSchedule that are not tolerated: kube-scheduler counts them, and prefers the node with the fewest. */
export const unpreferredTaints = (tolerations: readonly Toleration[], { spec }: Stored<Node>): number =>
  (spec?.taints ?? []).filter(
    (taint) =>
      taint.effect === 'PreferNoSchedule' && !tolerations.some((toleration) => tolerates(toleration, taint)),
  ).length;

export function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== '' && effect !== taint.effect) return false;
  if (key === undefined || key === '') return operator === 'Exists';
  if (key !== taint.key) return false;
  return operator === 'Exists' || (value ?? '') === (taint.value ?? '');
}
