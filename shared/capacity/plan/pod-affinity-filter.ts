import type { ClusterState, CountsByNode, NodeState } from './cluster-state.ts';
import { type Filter, type NodeCheck, passes, possibleValuesOf, topologyValueOf } from './filter.ts';
import { selectsPod } from './pod.ts';
import { reasons } from './reasons.ts';
import type { PlannedPod } from './types.ts';

/** InterPodAffinity, required terms only: what the pod wants, what it refuses, and what pods that are placed refuse. */
export const podAffinityFilter: Filter = (pod, cluster): NodeCheck | undefined => {
  const checks = [wantedCheck(pod, cluster), refusedCheck(pod, cluster), otherPodsCheck(pod, cluster)].filter(
    (check) => check !== undefined,
  );
  if (checks.length === 0) return undefined;
  return (state) => {
    for (const check of checks) {
      const found = check(state);
      if (found.length > 0) return found;
    }
    return passes;
  };
};

/**
 * Each term needs a pod in its topology that all terms select. The first pod of a group that wants its own kind near has none yet: it may go to any node
 * with the labels, if no such pod exists anywhere.
 */
function wantedCheck(pod: PlannedPod, cluster: ClusterState): NodeCheck | undefined {
  const { podAffinity } = pod;
  if (podAffinity.length === 0) return undefined;
  const selectors = podAffinity.map(({ selector }) => selector);
  const counts = cluster.countsOf(selectors);
  const topologies = podAffinity.map(({ topologyKey }) => ({
    topologyKey,
    values: certainValues(cluster, topologyKey, counts),
  }));
  const isFirst =
    podAffinity.every(({ topologyKey }) => possibleValues(cluster, topologyKey, counts).size === 0) &&
    selectors.every((selector) => selectsPod(selector, pod));
  return (state) => {
    const isNear = topologies.every(({ topologyKey, values }) => {
      const value = topologyValueOf(state, topologyKey);
      return value !== undefined && (isFirst || values.has(value));
    });
    return isNear ? passes : [reasons.podAffinity];
  };
}

function refusedCheck({ podAntiAffinity }: PlannedPod, cluster: ClusterState): NodeCheck | undefined {
  if (podAntiAffinity.length === 0) return undefined;
  const topologies = podAntiAffinity.map(({ topologyKey, selector }) => ({
    topologyKey,
    values: possibleValues(cluster, topologyKey, cluster.countsOf([selector])),
  }));
  return (state) => (isInOne(state, topologies) ? [reasons.podAntiAffinity] : passes);
}

/** The terms of pods that are placed. A pod without a term of its own is refused by them too. */
function otherPodsCheck(pod: PlannedPod, cluster: ClusterState): NodeCheck | undefined {
  const topologies = cluster
    .placedAntiAffinity()
    .filter(({ term }) => selectsPod(term.selector, pod))
    .map(({ term: { topologyKey }, counts }) => ({
      topologyKey,
      values: possibleValues(cluster, topologyKey, counts),
    }));
  if (topologies.length === 0) return undefined;
  return (state) => (isInOne(state, topologies) ? [reasons.otherAntiAffinity] : passes);
}

interface Topologies {
  readonly topologyKey: string;
  readonly values: ReadonlySet<string>;
}

/** Whether the node is, or may be, in one of these topologies. */
const isInOne = (state: NodeState, topologies: readonly Topologies[]): boolean =>
  topologies.some(({ topologyKey, values }) =>
    possibleValuesOf(state, topologyKey).some((value) => values.has(value)),
  );

/** Where counted pods are for sure: on nodes of a known zone. */
const certainValues = (
  { nodes }: ClusterState,
  topologyKey: string,
  counts: CountsByNode,
): ReadonlySet<string> =>
  new Set(
    nodes
      .filter(({ index }) => (counts[index] ?? 0) > 0)
      .map((state) => topologyValueOf(state, topologyKey))
      .filter((value) => value !== undefined),
  );

/** Where counted pods are or may be. */
const possibleValues = (
  { nodes }: ClusterState,
  topologyKey: string,
  counts: CountsByNode,
): ReadonlySet<string> =>
  new Set(
    nodes
      .filter(({ index }) => (counts[index] ?? 0) > 0)
      .flatMap((state) => possibleValuesOf(state, topologyKey)),
  );
