import type { ClusterState, NodeState } from './cluster-state.ts';
import { prepareChangingCheck, prepareLastingCheck, prepareSteadyCheck } from './filters.ts';
import { hasResources } from './node-filters.ts';
import { createRoomQueue, type RoomQueue } from './room-queue.ts';
import type { PlannedPod } from './types.ts';

/** The nodes that may take the pods of a placement. */
export interface Candidates {
  /** The node with the most room that passes all filters now. */
  bestFor(pod: PlannedPod): NodeState | undefined;
  /** A node that was added to the cluster. */
  addNode(state: NodeState): void;
}

/** What the pods of a shape ask of nodes. */
export interface Rules {
  /** Never changes. */
  readonly mayTake: (state: NodeState) => boolean;
  /** Once it is false, it stays false. */
  readonly hasRoom: (state: NodeState) => boolean;
  /** May become true again when `version` changes; undefined if it is always true. */
  readonly changing:
    | { readonly allows: (state: NodeState) => boolean; readonly version: () => string }
    | undefined;
  readonly roomOf: (state: NodeState) => number;
}

/** Pods of a StatefulSet differ in a label, so each may have a shape of its own: too many queues would need more memory than a function has. */
const mostQueues = 256;

/**
 * Remembers what the pods of one shape share. The first pod of a shape looks at all nodes. If there is another one, a queue is made, which finds its
 * node at the top or soon after.
 */
export function createCandidates(cluster: ClusterState): Candidates {
  const queues = new Map<string, { readonly rules: Rules; readonly queue: RoomQueue }>();
  const seen = new Set<string>();
  const queueOf = (pod: PlannedPod): RoomQueue | undefined => {
    const known = queues.get(pod.shape);
    if (known !== undefined) return known.queue;
    const isFirst = !seen.has(pod.shape);
    seen.add(pod.shape);
    if (isFirst || queues.size >= mostQueues) return undefined;
    const rules = rulesOf(pod, cluster);
    const queue = createRoomQueue(rules, cluster);
    for (const state of cluster.nodes) if (rules.mayTake(state)) queue.add(state);
    queues.set(pod.shape, { rules, queue });
    return queue;
  };
  return {
    bestFor: (pod) => {
      const queue = queueOf(pod);
      return queue === undefined ? bestOf(cluster.nodes, rulesOf(pod, cluster)) : queue.best();
    },
    addNode: (state) => {
      for (const { rules, queue } of queues.values()) if (rules.mayTake(state)) queue.add(state);
    },
  };
}

function bestOf(nodes: readonly NodeState[], rules: Rules): NodeState | undefined {
  const { mayTake, hasRoom, changing, roomOf } = rules;
  let best: NodeState | undefined;
  let most = -1;
  for (const state of nodes) {
    const room = roomOf(state);
    if (room <= most || !hasRoom(state) || !mayTake(state)) continue;
    if (changing !== undefined && !changing.allows(state)) continue;
    [best, most] = [state, room];
  }
  return best;
}

function rulesOf(pod: PlannedPod, cluster: ClusterState): Rules {
  const steady = prepareSteadyCheck(pod, cluster);
  const fits = hasResources(pod);
  const lasting = prepareLastingCheck(pod, cluster);
  const changing = prepareChangingCheck(pod, cluster);
  return {
    mayTake: (state) => steady(state).length === 0,
    hasRoom: (state) => fits(state) && (lasting === undefined || lasting(state).length === 0),
    changing: changing && {
      allows: (state) => changing.check(state).length === 0,
      version: changing.version,
    },
    roomOf: roomAfter(pod),
  };
}

/** The shares of CPU and memory that are left on a node after the pod, from 0 to 1. */
export function sharesLeft(
  { rankedRequests }: PlannedPod,
  { cpu, memory }: NodeState,
): { readonly cpuLeft: number; readonly memoryLeft: number } {
  return {
    cpuLeft: shareLeft(cpu, rankedRequests.get('cpu') ?? 0),
    memoryLeft: shareLeft(memory, rankedRequests.get('memory') ?? 0),
  };
}

/** NodeResourcesFit's score LeastAllocated: the shares of CPU and memory that are left after the pod. */
function roomAfter({ rankedRequests }: PlannedPod): (state: NodeState) => number {
  const ownCpu = rankedRequests.get('cpu') ?? 0;
  const ownMemory = rankedRequests.get('memory') ?? 0;
  return ({ cpu, memory }) => shareLeft(cpu, ownCpu) + shareLeft(memory, ownMemory);
}

const shareLeft = ({ allocatable, left }: NodeState['cpu'], requested: number): number =>
  allocatable > 0 ? Math.max(0, left - requested) / allocatable : 0;
