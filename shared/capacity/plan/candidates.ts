import type { ClusterState, NodeState } from './cluster-state.ts';
import { prepareChangingCheck, prepareSteadyCheck } from './filters.ts';
import { resourcesCheck } from './resources-filter.ts';
import { createRoomQueue, type RoomQueue } from './room-queue.ts';
import type { PlannedPod } from './types.ts';

/** The nodes that may take the pods of a placement. */
export interface Candidates {
  /** The node with the most room that passes all filters now. */
  bestFor(pod: PlannedPod): NodeState | undefined;
  /** A node that was added to the cluster. */
  addNode(state: NodeState): void;
}

/** What is known of the pods of one shape. */
interface ShapeCandidates {
  readonly isCandidate: (state: NodeState) => boolean;
  /** The nodes that pass the filters whose verdict does not change. */
  readonly queue: RoomQueue;
}

/**
 * Remembers what the pods of one shape share. A pod that asks only for room finds its node at the top of a queue; another one goes on
 * down the queue until a node takes it.
 */
export function createCandidates(cluster: ClusterState): Candidates {
  const byShape = new Map<string, ShapeCandidates>();
  const ofShape = (pod: PlannedPod): ShapeCandidates => {
    const known = byShape.get(pod.shape);
    if (known !== undefined) return known;
    const made = candidatesOf(pod, cluster);
    forgetOldest(byShape);
    byShape.set(pod.shape, made);
    return made;
  };
  return {
    bestFor: (pod) => {
      const changing = prepareChangingCheck(pod, cluster);
      return ofShape(pod).queue.best((state) => changing === undefined || changing(state).length === 0);
    },
    addNode: (state) => {
      for (const shape of byShape.values()) addCandidate(shape, state);
    },
  };
}

/** Pods of a StatefulSet differ in a label, so each may have a shape of its own: too many queues would need more memory than a function has. */
const mostShapes = 256;

function forgetOldest(byShape: Map<string, ShapeCandidates>): void {
  const [oldest] = byShape.keys();
  if (byShape.size >= mostShapes && oldest !== undefined) byShape.delete(oldest);
}

function candidatesOf(pod: PlannedPod, cluster: ClusterState): ShapeCandidates {
  const steady = prepareSteadyCheck(pod, cluster);
  const resources = resourcesCheck(pod);
  const queue = createRoomQueue({
    roomOf: (state) => roomAfter(pod, state),
    fits: (state) => resources(state).length === 0,
  });
  const isCandidate = (state: NodeState): boolean => steady(state).length === 0;
  const shape: ShapeCandidates = { isCandidate, queue };
  for (const state of cluster.nodes) addCandidate(shape, state);
  return shape;
}

function addCandidate({ isCandidate, queue }: ShapeCandidates, state: NodeState): void {
  if (isCandidate(state)) queue.add(state);
}

/** The shares of CPU and memory that are left on a node after the pod, from 0 to 1. */
export const sharesLeft = (
  pod: PlannedPod,
  state: NodeState,
): { readonly cpuLeft: number; readonly memoryLeft: number } => ({
  cpuLeft: shareLeft(pod, state, 'cpu'),
  memoryLeft: shareLeft(pod, state, 'memory'),
});

/** NodeResourcesFit's score LeastAllocated: the shares of CPU and memory that are left after the pod. */
const roomAfter = (pod: PlannedPod, state: NodeState): number =>
  shareLeft(pod, state, 'cpu') + shareLeft(pod, state, 'memory');

function shareLeft({ rankedRequests }: PlannedPod, { node, ranked }: NodeState, resource: string): number {
  const allocatable = node.allocatable.get(resource) ?? 0;
  const left = allocatable - (ranked.get(resource) ?? 0) - (rankedRequests.get(resource) ?? 0);
  return allocatable > 0 ? Math.max(0, left) / allocatable : 0;
}
