import type { ClusterState } from './cluster-state.ts';
import { prepareCheck } from './filters.ts';
import { newNodeOf, type PlanGroup } from './new-node.ts';
import { countReasons, type ReasonCounts } from './reasons.ts';
import type { OccupiedNode, PlannedPod } from './types.ts';

/** Why a pod has no place, once everything else has its place. */
export interface Refusals {
  /** How many nodes there are, with the new ones. */
  readonly nodes: number;
  readonly reasons: ReasonCounts;
  /** Why no group launches a node for it, by the name of the group. */
  readonly groups: ReadonlyMap<string, GroupRefusal>;
}

/**
 * - `at-bounds`: its next node would take the pod, but its bounds allow no other;
 * - `no-zone-promised`: a node in some of its zones would take the pod, and Auto Scaling chooses the zone. A group for each zone would do;
 * - `refuses`: its nodes never take the pod, in the words of the scheduler.
 */
export type GroupRefusal =
  | { readonly kind: 'at-bounds' }
  | { readonly kind: 'no-zone-promised' }
  | { readonly kind: 'refuses'; readonly reasons: readonly string[] };

/** Asks all nodes and the next node of each group about a pod without a place. The cluster is the same afterwards. */
export function explainUnplaced(
  pod: PlannedPod,
  { cluster, groups }: { readonly cluster: ClusterState; readonly groups: readonly PlanGroup[] },
): Refusals {
  return {
    nodes: cluster.nodes.length,
    reasons: countReasons(cluster.nodes.map(prepareCheck(pod, cluster))),
    groups: new Map(groups.map((group) => [group.autoScalingGroupName, refusalOf(pod, group, cluster)])),
  };
}

function refusalOf(pod: PlannedPod, group: PlanGroup, cluster: ClusterState): GroupRefusal {
  const next = newNodeOf(group, group.mostNewNodes + 1);
  const reasons = reasonsOf(pod, next, cluster);
  if (reasons.length === 0) return { kind: 'at-bounds' };
  const { node } = next;
  const inOneZone = node.labelSets.length === 1 ? [] : node.labelSets;
  const fitsInOne = inOneZone.some(
    (labels) => reasonsOf(pod, { ...next, node: { ...node, labelSets: [labels] } }, cluster).length === 0,
  );
  return fitsInOne ? { kind: 'no-zone-promised' } : { kind: 'refuses', reasons };
}

function reasonsOf(pod: PlannedPod, node: OccupiedNode, cluster: ClusterState): readonly string[] {
  const state = cluster.addNode(node);
  const reasons = prepareCheck(pod, cluster)(state);
  cluster.removeNewestNode();
  return reasons;
}
