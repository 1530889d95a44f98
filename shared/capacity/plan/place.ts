import { createCandidates } from './candidates.ts';
import { type ClusterState, createClusterState, type NodeState } from './cluster-state.ts';
import { prepareChangingCheck, prepareCheck } from './filters.ts';
import { newNodeOf, type PlanGroup } from './new-node.ts';
import { explainUnplaced, type Refusals } from './refusals.ts';
import { type IsTimeUp, throwIfTimeIsUp } from './time-limit.ts';
import type { OccupiedNode, PlannedPod } from './types.ts';

/** How many new nodes each group has, by its name. */
export type NewNodes = ReadonlyMap<string, number>;

/** Where one pod went. */
export interface Placement {
  readonly pod: PlannedPod;
  /** Undefined if no node takes the pod. */
  readonly nodeName?: string;
}

export interface Placed {
  readonly placements: readonly Placement[];
  readonly newNodes: NewNodes;
  /** Of the pods without a place, by their shape. Empty unless asked for: reasons cost as much as a placement. */
  readonly refusals: ReadonlyMap<string, Refusals>;
}

export interface PlaceRequest {
  /** Nodes that are there from the beginning, beside those that exist. */
  readonly newNodes: NewNodes;
  /** In the order in which they are placed. */
  readonly pods: readonly PlannedPod[];
  /** Whether a pod that fits on no node gets a new one, as long as its group has room for nodes. */
  readonly grows: boolean;
  readonly explains: boolean;
}

/**
 * Places pods one by one as kube-scheduler does: each goes to the node with the most room that passes all filters, and stays there. Nothing is packed
 * and nothing is moved afterwards. A placement throws a PlanTimeError as soon as the time is up, which it asks at each pod.
 */
export function createPlacer(
  nodes: readonly OccupiedNode[],
  groups: readonly PlanGroup[],
  isTimeUp?: IsTimeUp,
): (request: PlaceRequest) => Placed {
  const beginning = createClusterState(nodes);
  return (request) => place(request, { cluster: beginning.copy(), groups, isTimeUp });
}

interface PlaceContext {
  readonly cluster: ClusterState;
  readonly groups: readonly PlanGroup[];
  readonly isTimeUp: IsTimeUp | undefined;
}

function place({ newNodes, pods, grows, explains }: PlaceRequest, context: PlaceContext): Placed {
  const { cluster, groups, isTimeUp } = context;
  for (const node of newNodesOf(groups, newNodes)) cluster.addNode(node);
  const grown = new Map(groups.map(({ autoScalingGroupName: name }) => [name, newNodes.get(name) ?? 0]));
  const candidates = createCandidates(cluster);
  const growth: Growth = { cluster, groups, grown, refused: new Map() };
  const placements = pods.map((pod): Placement => {
    throwIfTimeIsUp(isTimeUp);
    const best = candidates.bestFor(pod);
    const state = best ?? (grows ? grow(pod, growth) : undefined);
    if (state === undefined) return { pod };
    if (best === undefined) candidates.addNode(state);
    cluster.addPod(pod, state.index);
    return { pod, nodeName: state.node.name };
  });
  const refusals = explains ? refusalsOf(placements, context) : new Map();
  return { placements, newNodes: grown, refusals };
}

function refusalsOf(placements: readonly Placement[], context: PlaceContext): ReadonlyMap<string, Refusals> {
  const unplaced = placements.filter(({ nodeName }) => nodeName === undefined);
  const oneOfEach = new Map(unplaced.map(({ pod }) => [pod.shape, pod]));
  return new Map(
    [...oneOfEach].map(([shape, pod]) => {
      throwIfTimeIsUp(context.isTimeUp);
      return [shape, explainUnplaced(pod, context)];
    }),
  );
}

/** The new nodes of groups. */
export const newNodesOf = (groups: readonly PlanGroup[], newNodes: NewNodes): readonly OccupiedNode[] =>
  groups.flatMap((group) =>
    Array.from({ length: newNodes.get(group.autoScalingGroupName) ?? 0 }, (_, index) =>
      newNodeOf(group, index + 1),
    ),
  );

interface Growth {
  readonly cluster: ClusterState;
  readonly groups: readonly PlanGroup[];
  readonly grown: Map<string, number>;
  /** The groups whose nodes never take the pods of a shape. */
  readonly refused: Map<string, Set<PlanGroup>>;
}

/** Adds a node of the first group whose new node takes the pod. */
function grow(pod: PlannedPod, { cluster, groups, grown, refused }: Growth): NodeState | undefined {
  const refusing = refused.get(pod.shape) ?? new Set();
  refused.set(pod.shape, refusing);
  for (const group of groups) {
    const count = grown.get(group.autoScalingGroupName) ?? 0;
    // NaN bounds allow no node.
    if (!(count < group.mostNewNodes) || refusing.has(group)) continue;
    const state = cluster.addNode(newNodeOf(group, count + 1));
    if (prepareCheck(pod, cluster)(state).length === 0) {
      grown.set(group.autoScalingGroupName, count + 1);
      return state;
    }
    if (prepareChangingCheck(pod, cluster) === undefined) refusing.add(group);
    cluster.removeNewestNode();
  }
  return undefined;
}
