import type { Node, NodeCondition } from 'kubernetes-types/core/v1.d.ts';
import type { AutoScalingGroup, GroupMember } from '../../groups/group.ts';
import { isInService } from '../../groups/lifecycle-state.ts';
import { isNodeReady } from '../../nodes/node-condition.ts';
import { instanceIdOf, nameOfNode } from '../../nodes/node-names.ts';
import { type RepairRule, readRepair } from './settings.ts';

/** A node that its group replaces if its failure lasts too long. */
export interface FailingNode extends Failure {
  readonly name: string;
  readonly member: GroupMember;
  readonly autoScalingGroupName: string;
  /** The availability zone that the Node names. */
  readonly zone: string | undefined;
  /** Whether the Node is Ready in spite of its condition, so that its pods may still serve. */
  readonly isStillReady: boolean;
  /** Whether the labels of the Node have the role control-plane or etcd, whatever the role of its group is. */
  readonly isOfQuorum: boolean;
}

export const zoneOf = ({ metadata }: Node): string | undefined =>
  metadata?.labels?.['topology.kubernetes.io/zone'];

const quorumRoles = ['control-plane', 'master', 'etcd'].map((role) => `node-role.kubernetes.io/${role}`);

const isOfQuorum = ({ metadata }: Node): boolean =>
  quorumRoles.some((label) => metadata?.labels?.[label] !== undefined);

/**
 * The failing nodes of the groups with repair, in the order in which they are due. Only instances in service count: instances that
 * are launching, leaving or in Standby are handled elsewhere.
 */
export function findFailingNodes(
  groups: readonly AutoScalingGroup[],
  living: ReadonlyMap<string, Node>,
): readonly FailingNode[] {
  const failing = groups.flatMap((group) => {
    const { rules } = readRepair(group.tags);
    return group.instances.filter(isInService).flatMap((member) => {
      const node = living.get(member.instanceId);
      const failure = node && failureOf(node, rules);
      return failure ? [toFailingNode(group, { member, node, failure })] : [];
    });
  });
  return failing.toSorted(byDueTime);
}

const toFailingNode = (
  { autoScalingGroupName }: AutoScalingGroup,
  { member, node, failure }: { readonly member: GroupMember; readonly node: Node; readonly failure: Failure },
): FailingNode => ({
  ...failure,
  name: nameOfNode(node),
  member,
  autoScalingGroupName,
  zone: zoneOf(node),
  isStillReady: isNodeReady(node),
  isOfQuorum: isOfQuorum(node),
});

/** A fixed order, so that two sweeps at the same time choose the same node. */
const byDueTime = (one: FailingNode, other: FailingNode): number =>
  one.dueAt < other.dueAt
    ? -1
    : one.dueAt > other.dueAt
      ? 1
      : one.member.instanceId.localeCompare(other.member.instanceId);

/**
 * The Node of each instance. If several have the same providerID, it is the Ready one, or else the youngest: an instance has only one
 * kubelet, but may have joined again with another name.
 */
export function livingNodes(nodes: readonly Node[]): ReadonlyMap<string, Node> {
  const living = new Map<string, Node>();
  for (const node of nodes) {
    const instanceId = instanceIdOf(node.spec?.providerID);
    if (instanceId === undefined) continue;
    const known = living.get(instanceId);
    if (known === undefined || outlives(node, known)) living.set(instanceId, node);
  }
  return living;
}

const outlives = (node: Node, other: Node): boolean =>
  isNodeReady(node) === isNodeReady(other) ? createdAt(node) > createdAt(other) : isNodeReady(node);

const createdAt = ({ metadata }: Node): string => metadata?.creationTimestamp ?? '';

/** A condition because of which a group replaces a node. Times are epoch milliseconds. */
export interface Failure {
  /** As the tag names it. */
  readonly condition: string;
  /** When the condition began; undefined if the Node does not report it. */
  readonly since: number | undefined;
  /** When the time that the tag allows is over; Infinity if `since` is unknown. */
  readonly dueAt: number;
}

/** The failure of a Node by these rules. If several conditions are bad, it is the one that is due first. */
export function failureOf(node: Node, rules: readonly RepairRule[]): Failure | undefined {
  const failures = rules.flatMap((rule) => {
    const condition = conditionFor(node, rule);
    return condition && isBad(condition) ? [toFailure(rule, condition)] : [];
  });
  return failures.toSorted((one, other) => byTime(one.dueAt, other.dueAt))[0];
}

/** The difference of two infinite times would be NaN. */
const byTime = (one: number, other: number): number => (one === other ? 0 : one - other);

const conditionFor = ({ status }: Node, { condition }: RepairRule): NodeCondition | undefined =>
  status?.conditions?.find(({ type }) => type === (condition === 'NotReady' ? 'Ready' : condition));

/**
 * node-problem-detector sets the condition of a problem to True. The node monitoring agent of EKS sets conditions such as `KernelReady`
 * to False. The node controller writes Unknown if the kubelet is silent, which shows nothing about the condition of an agent.
 */
function isBad({ type, status }: NodeCondition): boolean {
  if (type === 'Ready') return status === 'False' || status === 'Unknown';
  return status === (type.endsWith('Ready') ? 'False' : 'True');
}

function toFailure({ condition, seconds }: RepairRule, { lastTransitionTime }: NodeCondition): Failure {
  const at = Date.parse(lastTransitionTime ?? '');
  return Number.isNaN(at)
    ? { condition, since: undefined, dueAt: Infinity }
    : { condition, since: at, dueAt: at + seconds * 1000 };
}
