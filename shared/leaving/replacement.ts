import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type AutoScalingGroup, type GroupMember, roleOf, unitsOf } from '../groups/group.ts';
import { isInService } from '../groups/lifecycle-state.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { instanceIdOf } from '../nodes/node-names.ts';

export interface ReplacementInput {
  readonly group: AutoScalingGroup;
  /** The instance that wants to leave. */
  readonly instanceId: string;
  readonly nodes: readonly Node[];
}

/**
 * How many instances have to serve before this one may leave: 0 where all others that the desired capacity asks for do, so that at
 * most one is missing at any time. Pure.
 */
export function missingReplacements({ group, instanceId, nodes }: ReplacementInput): number {
  const nodeOf = new Map(nodes.map((node) => [instanceIdOf(node.spec?.providerID), node]));
  const serving = group.instances.filter(
    (member) => member.instanceId !== instanceId && serves(member, nodeOf.get(member.instanceId)),
  );
  const { weight = 1 } = group.instances.find((member) => member.instanceId === instanceId) ?? {};
  return Math.max(0, group.desiredCapacity - weight - unitsOf(serving));

  function serves(member: GroupMember, node: Node | undefined): boolean {
    if (!isInService(member) || !member.healthy) return false;
    // Members of etcd alone need no kubelet.
    if (!node) return roleOf(group) === 'etcd';
    return isNodeReady(node) && readLeavingMark(node.metadata?.annotations) === undefined;
  }
}
