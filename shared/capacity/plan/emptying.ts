import { largestCount } from './least-nodes.ts';
import { withShape } from './pod.ts';
import type { OccupiedNode, PlannedPod } from './types.ts';

/** A node that may go if its pods have a place elsewhere. */
export interface NodeToEmpty {
  readonly name: string;
  /**
   * The pods that need another place, no longer tied to this node. Pods that come with each node go with it, and so do terminating ones.
   */
  readonly podsToMove: () => readonly PlannedPod[];
}

/** The nodes in the order in which they are emptied: first those whose pods ask for the least share of them. */
export function emptiestFirst(nodes: readonly OccupiedNode[]): readonly NodeToEmpty[] {
  const shares = new Map(nodes.map((node) => [node, shareOf(node)]));
  return nodes
    .toSorted(
      (one, other) =>
        (shares.get(one) ?? 0) - (shares.get(other) ?? 0) || (one.node.name < other.node.name ? -1 : 1),
    )
    .map(toEmpty);
}

function toEmpty(occupied: OccupiedNode): NodeToEmpty {
  let pods: readonly PlannedPod[] | undefined;
  return {
    name: occupied.node.name,
    podsToMove: () => {
      pods ??= movablePods(occupied).map(untied);
      return pods;
    },
  };
}

/** A pod that runs has the name of its node. Without it, the scheduler chooses again. */
function untied(pod: PlannedPod): PlannedPod {
  const { nodeName: _, shape: __, ...rest } = pod;
  return withShape(rest);
}

/** The pods that need another place if the node goes. */
export const movablePods = ({ pods }: OccupiedNode): readonly PlannedPod[] =>
  pods.filter(({ comesWithNode, isTerminating }) => comesWithNode === undefined && !isTerminating);

function shareOf(occupied: OccupiedNode): number {
  const pods = movablePods(occupied);
  const shareOfResource = (name: string): number => {
    const taken = pods.reduce((sum, { rankedRequests }) => sum + (rankedRequests.get(name) ?? 0), 0);
    return taken / (occupied.node.allocatable.get(name) || taken || 1);
  };
  return shareOfResource('cpu') + shareOfResource('memory');
}

/** How many nodes that cannot be emptied are passed over: each costs a placement in every order. */
const mostPassedOver = 8;

/**
 * Takes as many of the nodes as possible, in their order. A node that cannot be taken is passed over, because its pods may be tied to it. No node is
 * taken after an empty one that is needed: an autoscaler would terminate the empty one, and another would be launched for it without end.
 *
 * @returns how many were taken.
 */
export function emptyAsMany(
  nodes: readonly NodeToEmpty[],
  isEnoughWithout: (gone: readonly NodeToEmpty[]) => boolean,
): number {
  let gone: readonly NodeToEmpty[] = [];
  let rest = nodes;
  for (let passedOver = 0; rest.length > 0 && passedOver < mostPassedOver; passedOver += 1) {
    const [before, candidates] = [gone, rest];
    const withFirst = (count: number): readonly NodeToEmpty[] => [...before, ...candidates.slice(0, count)];
    const count = largestCount(candidates.length, (some) => isEnoughWithout(withFirst(some)));
    gone = withFirst(count);
    if (candidates[count]?.podsToMove().length === 0) break;
    rest = candidates.slice(count + 1);
  }
  return gone.length;
}
