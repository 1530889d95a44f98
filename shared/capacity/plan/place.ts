import { type ClusterState, createClusterState, type NodeState } from './cluster-state.ts';
import { prepareCheck } from './filters.ts';
import { newNodeOf, type PlanGroup } from './groups.ts';
import { countReasons, type ReasonCounts } from './reasons.ts';
import type { OccupiedNode, PlannedPod } from './types.ts';

/** How many new nodes each group has, by its name. */
export type NewNodes = ReadonlyMap<string, number>;

/** Where one pod went. */
export interface Placement {
  readonly pod: PlannedPod;
  /** The node, or why each node refused the pod. */
  readonly result:
    | { readonly kind: 'placed'; readonly nodeName: string }
    | { readonly kind: 'unplaced'; readonly nodes: number; readonly reasons: ReasonCounts };
}

export interface Placed {
  readonly placements: readonly Placement[];
  readonly newNodes: NewNodes;
}

export interface PlaceRequest {
  readonly nodes: readonly OccupiedNode[];
  readonly groups: readonly PlanGroup[];
  /** Nodes that are there from the beginning, beside those that exist. */
  readonly newNodes: NewNodes;
  /** In the order in which they are placed. */
  readonly pods: readonly PlannedPod[];
  /** Whether a pod that fits on no node gets a new one, as long as its group has room for nodes. */
  readonly grows: boolean;
}

/**
 * Places pods one by one as kube-scheduler does: each goes to the node with the most room that passes all filters, and stays there. Nothing is packed
 * and nothing is moved afterwards.
 */
export function place({ nodes, groups, newNodes, pods, grows }: PlaceRequest): Placed {
  const cluster = createClusterState([...nodes, ...nodesOf(groups, newNodes)]);
  const grown = new Map(groups.map(({ autoScalingGroupName: name }) => [name, newNodes.get(name) ?? 0]));
  const placements = pods.map((pod): Placement => {
    const check = prepareCheck(pod, cluster);
    const best = mostRoomFor(
      pod,
      cluster.nodes.filter((state) => check(state).length === 0),
    );
    const state = best ?? (grows ? grow(pod, { cluster, groups, grown }) : undefined);
    if (state === undefined) {
      const counts = countReasons(cluster.nodes.map(check));
      return { pod, result: { kind: 'unplaced', nodes: cluster.nodes.length, reasons: counts } };
    }
    cluster.addPod(pod, state.index);
    return { pod, result: { kind: 'placed', nodeName: state.node.name } };
  });
  return { placements, newNodes: grown };
}

const nodesOf = (groups: readonly PlanGroup[], newNodes: NewNodes): readonly OccupiedNode[] =>
  groups.flatMap((group) =>
    Array.from({ length: newNodes.get(group.autoScalingGroupName) ?? 0 }, (_, index) =>
      newNodeOf(group, index + 1),
    ),
  );

interface Growth {
  readonly cluster: ClusterState;
  readonly groups: readonly PlanGroup[];
  readonly grown: Map<string, number>;
}

/** Adds a node of the first group whose new node takes the pod. */
function grow(pod: PlannedPod, { cluster, groups, grown }: Growth): NodeState | undefined {
  for (const group of groups) {
    const count = grown.get(group.autoScalingGroupName) ?? 0;
    if (count >= group.mostNewNodes) continue;
    const state = cluster.addNode(newNodeOf(group, count + 1));
    if (prepareCheck(pod, cluster)(state).length === 0) {
      grown.set(group.autoScalingGroupName, count + 1);
      return state;
    }
    cluster.removeNewestNode();
  }
  return undefined;
}

/** The first of the nodes with the most room, so that the same cluster always gives the same plan. */
function mostRoomFor(pod: PlannedPod, states: readonly NodeState[]): NodeState | undefined {
  let best: NodeState | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const state of states) {
    const room = roomAfter(pod, state);
    if (room > most) {
      most = room;
      best = state;
    }
  }
  return best;
}

/** NodeResourcesFit's score LeastAllocated: the shares of CPU and memory that are left after the pod. */
const roomAfter = (pod: PlannedPod, state: NodeState): number =>
  shareLeft(pod, state, 'cpu') + shareLeft(pod, state, 'memory');

function shareLeft({ rankedRequests }: PlannedPod, { node, ranked }: NodeState, resource: string): number {
  const allocatable = node.allocatable.get(resource) ?? 0;
  const left = allocatable - (ranked.get(resource) ?? 0) - (rankedRequests.get(resource) ?? 0);
  return allocatable > 0 ? Math.max(0, left) / allocatable : 0;
}
