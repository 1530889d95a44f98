import type { PlannedNode, PlannedPod } from './types.ts';

/** How many shuffled orders a plan tries, beside the given one and the large pods first. */
const shuffles = 3;

/**
 * The orders in which the pods of a plan are placed. Controllers create pods at their own pace and the scheduler retries those that do not fit, so no
 * one knows the order: a number of nodes is enough only if it is enough for each of these. They are always the same for the same pods.
 *
 * @returns the large pods first, because they usually need the fewest nodes, then the given order, then shuffles.
 */
export function ordersOf(
  pods: readonly PlannedPod[],
  largestNode: PlannedNode | undefined,
): readonly (readonly PlannedPod[])[] {
  // Pods that differ by their names only are the same in each order.
  if (new Set(pods.map(({ shape }) => shape)).size < 2) return [pods];
  const sizes = new Map(pods.map((pod) => [pod, sizeOf(pod, largestNode)]));
  const largeFirst = pods.toSorted((one, other) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0));
  const shuffled = Array.from({ length: shuffles }, (_, index) => shuffle(pods, index + 1));
  return [largeFirst, pods, ...shuffled];
}

/** The largest share of a resource of a node that the pod requests. */
function sizeOf({ requests }: PlannedPod, node: PlannedNode | undefined): number {
  const shares = [...requests].map(([name, amount]) => amount / (node?.allocatable.get(name) || amount || 1));
  return Math.max(0, ...shares);
}

/** Fisher and Yates, with a small generator of its own: a plan depends on nothing but its input. */
function shuffle<T>(items: readonly T[], seed: number): readonly T[] {
  const shuffled = [...items];
  let state = seed;
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    // Park and Miller's minimal standard generator: all products stay below 2^53.
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (index + 1);
    [shuffled[index], shuffled[other]] = [shuffled[other] as T, shuffled[index] as T];
  }
  return shuffled;
}
