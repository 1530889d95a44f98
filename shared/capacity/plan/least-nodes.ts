import type { PlanGroup } from './new-node.ts';
import { ordersOf } from './orders.ts';
import { createPlacer, type NewNodes, type Placed, type PlaceRequest } from './place.ts';
import type { IsTimeUp } from './time-limit.ts';
import type { OccupiedNode, PlannedPod } from './types.ts';

/** What a plan is made from. */
export interface PlanRequest {
  /** All nodes of the cluster with their pods. Those outside the groups count for spread and affinity too. */
  readonly nodes: readonly OccupiedNode[];
  /** The groups that may launch nodes, preferred ones first. */
  readonly groups: readonly PlanGroup[];
  /** The pods that need room. */
  readonly pods: readonly PlannedPod[];
  /** Once it is true, the plan throws a PlanTimeError. A plan without it has no limit. */
  readonly isTimeUp?: IsTimeUp | undefined;
}

/** The least number of nodes at which the pods have their places in every order. */
export interface LeastNodes {
  /** The orders of the pods that were tried. */
  readonly orders: readonly (readonly PlannedPod[])[];
  readonly newNodes: NewNodes;
  /** The placement of an order with some number of new nodes, without reasons. */
  readonly placedIn: PlaceInOrder<Placed>;
  /** The same placement with the reasons of the pods that have no place. */
  readonly explain: PlaceInOrder<Placed>;
}

type PlaceInOrder<T> = (order: readonly PlannedPod[], newNodes: NewNodes) => T;

/**
 * Finds the least number of nodes at which the pods have their places in every order that is tried. "Least" means that each group is needed with its
 * last node: with one node fewer, a pod of some order would have no place.
 */
export function findLeastNodes({ nodes, groups, pods, isTimeUp }: PlanRequest): LeastNodes {
  const sorted = sortedByName(nodes);
  const orders = ordersOf(pods, groups[0]?.template.node ?? sorted[0]?.node);
  const run = createPlacer(sorted, groups, isTimeUp);
  const { placedIn, growIn } = rememberRuns((request) => run({ ...request, explains: false }));
  const unplacedIn: PlaceInOrder<readonly PlannedPod[]> = (order, newNodes) =>
    unplacedOf(placedIn(order, newNodes));

  const enough = growUntilEnough(orders, growIn);
  const unplaced = new Set(orders.flatMap((order) => unplacedIn(order, enough)));
  const isEnoughIn: PlaceInOrder<boolean> = (order, newNodes) => {
    const without = unplacedIn(order, newNodes);
    return without.length <= unplacedIn(order, enough).length && without.every((pod) => unplaced.has(pod));
  };
  // The order for which one number was too small is the first that is asked about the next one.
  let hardestFirst = orders;
  const isEnough = (newNodes: NewNodes): boolean => {
    const lacking = hardestFirst.find((order) => !isEnoughIn(order, newNodes));
    if (lacking !== undefined) hardestFirst = [lacking, ...hardestFirst.filter((order) => order !== lacking)];
    return lacking === undefined;
  };
  return {
    orders,
    newNodes: shrinkWhile(enough, isEnough),
    placedIn,
    explain: (order, newNodes) => run({ pods: order, newNodes, grows: false, explains: true }),
  };
}

/** A placement costs much, and the same ones are needed several times. One that could grow and did not is the same as one that could not. */
function rememberRuns(run: (request: Pick<PlaceRequest, 'pods' | 'newNodes' | 'grows'>) => Placed): {
  readonly placedIn: PlaceInOrder<Placed>;
  readonly growIn: PlaceInOrder<NewNodes>;
} {
  const results = new Map<readonly PlannedPod[], Map<string, Placed>>();
  const resultsOf = (order: readonly PlannedPod[]): Map<string, Placed> => {
    const known = results.get(order) ?? new Map<string, Placed>();
    results.set(order, known);
    return known;
  };
  const placedIn: PlaceInOrder<Placed> = (order, newNodes) => {
    const known = resultsOf(order).get(keyOf(newNodes));
    const placed = known ?? run({ pods: order, newNodes, grows: false });
    resultsOf(order).set(keyOf(newNodes), placed);
    return placed;
  };
  const growIn: PlaceInOrder<NewNodes> = (order, newNodes) => {
    const known = resultsOf(order).get(keyOf(newNodes));
    const placed = known ?? run({ pods: order, newNodes, grows: true });
    if (totalOf(placed.newNodes) === totalOf(newNodes)) resultsOf(order).set(keyOf(newNodes), placed);
    return placed.newNodes;
  };
  return { placedIn, growIn };
}

const keyOf = (newNodes: NewNodes): string => JSON.stringify([...newNodes].filter(([, count]) => count > 0));

/** Lets every order add the nodes that it lacks, until no order lacks one. */
function growUntilEnough(orders: readonly (readonly PlannedPod[])[], grow: PlaceInOrder<NewNodes>): NewNodes {
  let newNodes: NewNodes = new Map();
  for (;;) {
    let grown = newNodes;
    for (const order of orders) grown = grow(order, grown);
    if (totalOf(grown) === totalOf(newNodes)) return grown;
    newNodes = grown;
  }
}

/**
 * Takes nodes away, from the last group on, because the first ones are preferred: 1, 2, 4 and so on as long as the rest is enough, then fewer, so that
 * one less is not enough in the end.
 */
function shrinkWhile(enough: NewNodes, isEnough: (newNodes: NewNodes) => boolean): NewNodes {
  let least = enough;
  for (const name of [...enough.keys()].toReversed()) {
    const count = least.get(name) ?? 0;
    const before = least;
    const without = (some: number): NewNodes => new Map(before).set(name, count - some);
    least = without(largestCount(count, (some) => isEnough(without(some))));
  }
  return least;
}

const totalOf = (newNodes: NewNodes): number => [...newNodes.values()].reduce((sum, count) => sum + count, 0);

/** The pods that have no place. */
export const unplacedOf = ({ placements }: Placed): readonly PlannedPod[] =>
  placements.filter(({ nodeName }) => nodeName === undefined).map(({ pod }) => pod);

/** The order of the nodes of a plan: of two nodes with the same room, a pod gets the first. */
export const sortedByName = (nodes: readonly OccupiedNode[]): readonly OccupiedNode[] =>
  nodes.toSorted((one, other) => compareNames(one.node.name, other.node.name));

const compareNames = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The largest count up to `most` for which `holds`, if it holds for all smaller ones. 1, 2, 4 and so on are tried first. */
export function largestCount(most: number, holds: (count: number) => boolean): number {
  let low = 0;
  let high = 1;
  while (high <= most && holds(high)) {
    low = high;
    high = high < most ? Math.min(2 * high, most) : most + 1;
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
