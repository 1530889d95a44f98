import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { amountsOf } from '../capacity/plan/requests.ts';
import type { Amounts, Labels, PlannedNode } from '../capacity/plan/types.ts';
import type { InstanceTypeFacts } from '../capacity/plan-input/instance-capacity.ts';

const typeLabels = ['node.kubernetes.io/instance-type', 'beta.kubernetes.io/instance-type'];
const mebibyte = 1024 ** 2;

/**
 * A replacement is planned as the node that it replaces, with the room of the instance types that its group launches now. The largest of
 * several types counts, and a node never becomes larger: what has no place then has none on any of them. What the kubelet reserves shrinks
 * with the machine. The memory that the old node shows is compared with all of the new machine's, so that a type of the same size is not
 * smaller. A node of a type that its group still launches stays as it is. Pure.
 *
 * @param capacity `status.capacity` of the Node
 * @param types what its group launches; empty if that is not known
 */
export function resizedNode(
  node: PlannedNode,
  capacity: NonNullable<Node['status']>['capacity'],
  types: readonly InstanceTypeFacts[],
): PlannedNode {
  const type = typeLabels.map((label) => node.labelSets[0][label]).find((value) => value !== undefined);
  if (type === undefined || types.length === 0 || types.some(({ instanceType }) => instanceType === type))
    return node;
  const before = amountsOf(capacity);
  const share = (name: string, launched: (type: InstanceTypeFacts) => number): number =>
    Math.min(1, Math.max(...types.map(launched)) / (before.get(name) ?? 1));
  const shares = new Map([
    ['cpu', share('cpu', ({ cpus }) => cpus * 1000)],
    ['memory', share('memory', ({ memoryMebibytes }) => memoryMebibytes * mebibyte)],
  ]);
  const devices = new Set(types.flatMap((one) => Object.keys(one.devices)));
  const left = (name: string, amount: number): number => {
    if (isDevice(name) && !devices.has(name)) return 0;
    return Math.floor(amount * (shares.get(name) ?? 1));
  };
  const allocatable: Amounts = new Map(
    [...node.allocatable].map(([name, amount]) => [name, left(name, amount)] as const),
  );
  const [first, ...others] = node.labelSets;
  const named = (labels: Labels): Labels => renamed(labels, types);
  return { ...node, allocatable, labelSets: [named(first), ...others.map(named)] };
}

/** Resources of the device plugins whose machines EC2 describes. */
const isDevice = (name: string): boolean => /^(?:nvidia\.com|amd\.com|aws\.amazon\.com)\//.test(name);

/** The labels of the instance type. With several types, which one comes is not known, so that no label of them holds. */
function renamed(labels: Labels, types: readonly InstanceTypeFacts[]): Labels {
  const [only, ...more] = types;
  const others = Object.entries(labels).filter(([key]) => !typeLabels.includes(key));
  const own = typeLabels
    .filter((key) => labels[key] !== undefined && more.length === 0)
    .map((key) => [key, only?.instanceType ?? ''] as const);
  return Object.fromEntries([...others, ...own]);
}
