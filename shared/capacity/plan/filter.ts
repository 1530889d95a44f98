import type { ClusterState, NodeState } from './cluster-state.ts';
import type { PlannedPod } from './types.ts';

/** Why one node cannot have the pod, in the scheduler's words; empty if it can. */
export type NodeCheck = (state: NodeState) => readonly string[];

/**
 * One filter of the scheduler. It reads what the pod means for it once, and then judges nodes as they are at the moment, also after other pods were
 * placed. Undefined if the filter can refuse the pod at no time.
 */
export type Filter = (pod: PlannedPod, cluster: ClusterState) => NodeCheck | undefined;

export const passes: readonly string[] = [];

/** A check with one reason. */
export const refuseUnless =
  (reason: string, isFine: (state: NodeState) => boolean): NodeCheck =>
  (state) =>
    isFine(state) ? passes : [reason];

/**
 * The value of a label that a node has in any case: undefined if it may be in several zones with different values, or lacks the label in one of
 * them.
 */
export function topologyValueOf({ node }: NodeState, key: string): string | undefined {
  const value = node.labelSets[0][key];
  return node.labelSets.every((labels) => labels[key] === value) ? value : undefined;
}

/** The values of a label that a node may have, one for each zone that it may be in. */
export function possibleValuesOf({ node }: NodeState, key: string): readonly string[] {
  const values = node.labelSets.map((labels) => labels[key]).filter((value) => value !== undefined);
  return values.length > 1 ? [...new Set(values)] : values;
}
