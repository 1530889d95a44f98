import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { AutoScalingGroup, GroupMember } from '../../groups/group.ts';
import { isInService } from '../../groups/lifecycle-state.ts';
import { isNodeReady } from '../../nodes/node-condition.ts';
import { instanceIdOf } from '../../nodes/node-names.ts';
import { type Failure, failureOf } from './failure.ts';
import { readRepair } from './settings.ts';

/** A node whose group wants it replaced once its failure has lasted. */
export interface FailingNode extends Failure {
  readonly name: string;
  readonly member: GroupMember;
  readonly autoScalingGroupName: string;
  /** The availability zone that the Node names. */
  readonly zone: string | undefined;
  /** The Node is labelled as one of the control plane or of etcd, whatever the role of its group. */
  readonly isOfQuorum: boolean;
}

export const zoneOf = ({ metadata }: Node): string | undefined =>
  metadata?.labels?.['topology.kubernetes.io/zone'];

const quorumRoles = ['control-plane', 'master', 'etcd'].map((role) => `node-role.kubernetes.io/${role}`);

const isOfQuorum = ({ metadata }: Node): boolean =>
  quorumRoles.some((label) => metadata?.labels?.[label] !== undefined);

/**
 * The failing nodes of the groups that ask for repair, those that are due first before the others. Only instances in service are
 * looked at: those that launch, leave or are in Standby are somebody's already. Pure.
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
  name: node.metadata?.name ?? '',
  member,
  autoScalingGroupName,
  zone: zoneOf(node),
  isOfQuorum: isOfQuorum(node),
});

/** Two sweeps at once choose the same node: a node that is due later comes later in both. */
const byDueTime = (one: FailingNode, other: FailingNode): number =>
  one.dueAt < other.dueAt
    ? -1
    : one.dueAt > other.dueAt
      ? 1
      : one.member.instanceId.localeCompare(other.member.instanceId);

/**
 * The Node of each instance. Of several with one providerID it is the Ready one, or else the youngest: an instance has one kubelet,
 * and may have joined again under another name.
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
