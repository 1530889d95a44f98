import type { PlanGroup } from './groups.ts';
import { ordersOf } from './orders.ts';
import { type NewNodes, type Placed, type Placement, place } from './place.ts';
import type { OccupiedNode, PlannedPod } from './types.ts';

/** What a plan is made from. */
export interface PlanRequest {
  /** All nodes of the cluster with their pods. Those outside the groups count for spread and affinity too. */
  readonly nodes: readonly OccupiedNode[];
  /** The groups that may launch nodes, preferred ones first. */
  readonly groups: readonly PlanGroup[];
  /** The pods that need room. */
  readonly pods: readonly PlannedPod[];
}

/** How many nodes the pods need. */
export interface Plan {
  /** How many of the pods have a place in free room now, in the worst of the orders. */
  readonly fitNow: number;
  /** How many nodes more each group needs, by its name; 0 for a group that needs none. */
  readonly newNodes: NewNodes;
  /** Where the pods go in the order in which they were given, with these nodes. */
  readonly placements: readonly Placement[];
  /** The pods that have no place in at least one order, even with these nodes. */
  readonly unplaced: ReadonlySet<PlannedPod>;
}

/**
 * Plans nodes for pods: the least number at which the pods have their places in every order that is tried. "Least" means that each group is needed
 * with its last node: with one node fewer, a pod of some order would have no place.
 */
export function planNodes({ nodes, groups, pods }: PlanRequest): Plan {
  const sorted = nodes.toSorted((one, other) => compareNames(one.node.name, other.node.name));
  const orders = ordersOf(pods, groups[0]?.template.node ?? sorted[0]?.node);
  const run = (order: readonly PlannedPod[], newNodes: NewNodes, grows: boolean): Placed =>
    place({ nodes: sorted, groups, newNodes, pods: order, grows });

  const enough = growUntilEnough(orders, run);
  const atMost = orders.map((order) => unplacedOf(run(order, enough, false)));
  const unplaced = new Set(atMost.flat());
  const isEnough = (newNodes: NewNodes): boolean =>
    orders.every((order, index) => {
      const without = unplacedOf(run(order, newNodes, false));
      return without.length <= (atMost[index]?.length ?? 0) && without.every((pod) => unplaced.has(pod));
    });
  const newNodes = shrinkWhile(enough, isEnough);
  const none: NewNodes = new Map();
  return {
    fitNow: Math.min(...orders.map((order) => pods.length - unplacedOf(run(order, none, false)).length)),
    newNodes,
    placements: run(pods, newNodes, false).placements,
    unplaced,
  };
}

type Run = (order: readonly PlannedPod[], newNodes: NewNodes, grows: boolean) => Placed;

/** Lets every order add the nodes that it lacks, until no order lacks one. */
function growUntilEnough(orders: readonly (readonly PlannedPod[])[], run: Run): NewNodes {
  let newNodes: NewNodes = new Map();
  for (;;) {
    let grown = newNodes;
    for (const order of orders) grown = run(order, grown, true).newNodes;
    if (totalOf(grown) === totalOf(newNodes)) return grown;
    newNodes = grown;
  }
}

/** Takes nodes away one by one, from the last group on, because the first ones are preferred. */
function shrinkWhile(enough: NewNodes, isEnough: (newNodes: NewNodes) => boolean): NewNodes {
  let least = enough;
  for (const name of [...enough.keys()].toReversed())
    for (let count = (least.get(name) ?? 0) - 1; count >= 0; count -= 1) {
      const fewer = new Map(least).set(name, count);
      if (!isEnough(fewer)) break;
      least = fewer;
    }
  return least;
}

const totalOf = (newNodes: NewNodes): number => [...newNodes.values()].reduce((sum, count) => sum + count, 0);

const unplacedOf = ({ placements }: Placed): readonly PlannedPod[] =>
  placements.filter(({ result }) => result.kind === 'unplaced').map(({ pod }) => pod);

const compareNames = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
