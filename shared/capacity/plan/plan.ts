import { findLeastNodes, type PlanRequest, unplacedOf } from './least-nodes.ts';
import type { NewNodes, Placement } from './place.ts';
import type { Refusals } from './refusals.ts';
import type { PlannedPod } from './types.ts';

/** How many nodes the pods need. */
export interface Plan {
  /** How many of the pods have a place in free room now, in the worst of the orders. */
  readonly fitNow: number;
  /** The nodes that the pods get in free room now, in that order. */
  readonly placementsNow: readonly Placement[];
  /** How many nodes more each group needs, by its name; 0 for a group that needs none. */
  readonly newNodes: NewNodes;
  /** Where the pods go with these nodes, in the order in which they are placed: the given one, unless another leaves more pods without a place. */
  readonly placements: readonly Placement[];
  /** The pods that have no place in at least one order, even with these nodes. */
  readonly unplaced: ReadonlySet<PlannedPod>;
  /** Why pods of `placements` have no place, by their shape. */
  readonly refusals: ReadonlyMap<string, Refusals>;
}

/** Plans nodes for pods: the least number at which the pods have their places in every order that is tried. */
export function planNodes(request: PlanRequest): Plan {
  const { pods, groups } = request;
  const { orders, newNodes, placedIn, explain } = findLeastNodes(request);
  const none: NewNodes = new Map(groups.map(({ autoScalingGroupName }) => [autoScalingGroupName, 0]));
  const unplacedIn = (order: readonly PlannedPod[], some: NewNodes): readonly PlannedPod[] =>
    unplacedOf(placedIn(order, some));
  const worstOrder = (some: NewNodes): readonly PlannedPod[] =>
    orders.reduce(
      (worst, order) => (unplacedIn(order, some).length > unplacedIn(worst, some).length ? order : worst),
      pods,
    );
  const worst = worstOrder(newNodes);
  const { placements, refusals } =
    unplacedIn(worst, newNodes).length === 0 ? placedIn(worst, newNodes) : explain(worst, newNodes);
  const now = placedIn(worstOrder(none), none);
  return {
    fitNow: pods.length - unplacedOf(now).length,
    placementsNow: now.placements,
    newNodes,
    placements,
    unplaced: new Set(orders.flatMap((order) => unplacedIn(order, newNodes))),
    refusals,
  };
}
