import { sharesLeft } from './candidates.ts';
import { createClusterState } from './cluster-state.ts';
import { prepareCheck } from './filters.ts';
import { type PlanRequest, sortedByName } from './least-nodes.ts';
import { newNodesOf } from './place.ts';
import type { Plan } from './plan.ts';
import { countReasons, type ReasonCounts } from './reasons.ts';
import { explainUnplaced, type Refusals } from './refusals.ts';
import type { PlannedPod } from './types.ts';

/** Why a plan puts a pod on its node, or on none. */
export type PodExplanation = PlacedPodExplanation | UnplacedPodExplanation;

/** What the nodes were like when it was the turn of the pod. */
interface PlacedPodExplanation {
  readonly kind: 'placed';
  readonly nodeName: string;
  /** How many pods of the plan were placed before this one. */
  readonly placedBefore: number;
  /** How many nodes there were, with the new ones. */
  readonly nodes: number;
  /** How many nodes refused it, by reason. */
  readonly reasons: ReasonCounts;
  /** The nodes that would have taken it. The one with the most room comes first and is the one that it got. */
  readonly passed: readonly PassedNode[];
}

/** What is left on a node with the pod. */
interface PassedNode {
  readonly nodeName: string;
  /** The share of its CPU, from 0 to 1. */
  readonly cpuLeft: number;
  /** The share of its memory, from 0 to 1. */
  readonly memoryLeft: number;
}

/** Reasons when all other pods of the plan have their places. */
interface UnplacedPodExplanation extends Refusals {
  readonly kind: 'unplaced';
}

/**
 * Explains the place of one pod of a plan, which keeps no reasons for pods that have a place: the pods before it are put on their nodes again.
 *
 * @param pod one of the pods of the placements, the same object.
 * @returns undefined if the plan does not have the pod.
 */
export function explainPod(
  { nodes, groups }: Pick<PlanRequest, 'nodes' | 'groups'>,
  { placements, newNodes }: Pick<Plan, 'placements' | 'newNodes'>,
  pod: PlannedPod,
): PodExplanation | undefined {
  const turn = placements.findIndex((placement) => placement.pod === pod);
  const nodeName = placements[turn]?.nodeName;
  if (turn === -1) return undefined;
  const cluster = createClusterState([...sortedByName(nodes), ...newNodesOf(groups, newNodes)]);
  const indexes = new Map(cluster.nodes.map(({ node, index }) => [node.name, index]));
  const before = nodeName === undefined ? placements : placements.slice(0, turn);
  for (const placement of before) {
    const index = placement.nodeName === undefined ? undefined : indexes.get(placement.nodeName);
    if (index !== undefined) cluster.addPod(placement.pod, index);
  }
  if (nodeName === undefined) return { kind: 'unplaced', ...explainUnplaced(pod, { cluster, groups }) };
  const check = prepareCheck(pod, cluster);
  const verdicts = cluster.nodes.map((state) => ({ state, refusal: check(state) }));
  const passed = verdicts
    .filter(({ refusal }) => refusal.length === 0)
    .map(({ state }) => ({ nodeName: state.node.name, ...sharesLeft(pod, state) }));
  return {
    kind: 'placed',
    nodeName,
    placedBefore: turn,
    nodes: cluster.nodes.length,
    reasons: countReasons(verdicts.map(({ refusal }) => refusal)),
    passed: passed.toSorted((one, other) => roomOf(other) - roomOf(one)),
  };
}

const roomOf = ({ cpuLeft, memoryLeft }: PassedNode): number => cpuLeft + memoryLeft;
