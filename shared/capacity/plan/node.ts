import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { CSINode } from 'kubernetes-types/storage/v1.d.ts';
import { isNodeReady } from '../../nodes/node-condition.ts';
import { leavingAnnotation } from '../../nodes/node-keys.ts';
import { nameOfNode } from '../../nodes/node-names.ts';
import { reasons } from './reasons.ts';
import { amountsOf } from './requests.ts';
import type { PlannedNode } from './types.ts';

/** What the cluster knows of a node. */
export interface NodeFacts {
  readonly node: Node;
  /** Undefined if no CSI driver has registered on the node, or if CSINodes may not be read: then no limit is known. */
  readonly csiNode?: CSINode;
  readonly autoScalingGroupName?: string;
  /** Auto Scaling is terminating its instance, which the Node may not show yet. */
  readonly isTerminating?: boolean;
}

/**
 * A node that exists.
 *
 * @throws QuantityError if its status has something else than quantities.
 */
export function plannedNodeOf({
  node,
  csiNode,
  autoScalingGroupName,
  isTerminating = false,
}: NodeFacts): PlannedNode {
  const isLeaving = isTerminating || isBeingRemoved(node);
  const closed = isLeaving ? reasons.unschedulable : whyClosed(node);
  return {
    name: nameOfNode(node),
    ...(autoScalingGroupName !== undefined && { autoScalingGroupName }),
    labelSets: [node.metadata?.labels ?? {}],
    taints: node.spec?.taints ?? [],
    // Allocatable defaults to the capacity in the API server.
    allocatable: amountsOf(node.status?.allocatable ?? node.status?.capacity),
    attachLimits: attachLimitsOf(csiNode),
    ...(closed !== undefined && { closed }),
    ...(isLeaving && { isLeaving }),
  };
}

/** A leaving node counts as cordoned even if something else has uncordoned it. */
const isBeingRemoved = ({ metadata }: Node): boolean =>
  metadata?.annotations?.[leavingAnnotation] !== undefined || metadata?.deletionTimestamp != null;

/** A node that is not Ready has a taint that pods tolerate only after they have started. */
function whyClosed(node: Node): string | undefined {
  if (node.spec?.unschedulable === true) return reasons.unschedulable;
  return isNodeReady(node) ? undefined : reasons.taint;
}

function attachLimitsOf(csiNode: CSINode | undefined): ReadonlyMap<string, number> {
  const limits = (csiNode?.spec.drivers ?? []).map(
    ({ name, allocatable }) => [name, allocatable?.count] as const,
  );
  return new Map(limits.filter((limit): limit is readonly [string, number] => limit[1] !== undefined));
}
