import type { ClusterState, NodeState, PodCounts } from './cluster-state.ts';
import type { DomainCounts } from './domain-counts.ts';
import { type Filter, passes, possibleValuesOf, topologyValueOf } from './filter.ts';
import { selectsPod } from './pod.ts';
import { reasons } from './reasons.ts';
import type { PlannedPod } from './types.ts';

/** InterPodAffinity has required terms of three kinds: what the pod wants, what it refuses, and what pods that are placed refuse. */

/**
 * Each term needs a pod in its topology that all terms select. The first pod of a group that wants its own kind near has none yet: it may go to any node
 * with the labels, if no such pod exists anywhere.
 */
export const podAffinityFilter: Filter = (pod, cluster) => {
  if (pod.podAffinity.length === 0) return undefined;
  const topologies = wantedBy(pod, cluster);
  const isOwnKind = wantsOwnKind(pod);
  return (state) => {
    const isFirst = isOwnKind && topologies.every(({ possible }) => possible.taken() === 0);
    const isNear = topologies.every(({ topologyKey, certain }) => {
      const value = topologyValueOf(state, topologyKey);
      return value !== undefined && (isFirst || certain.podsIn(value) > 0);
    });
    return isNear ? passes : [reasons.podAffinity];
  };
};

/** Whether all its terms select the pod itself, so that others like it go where the first one goes. */
export const wantsOwnKind = (pod: PlannedPod): boolean =>
  pod.podAffinity.length > 0 && pod.podAffinity.every(({ selector }) => selectsPod(selector, pod));

/** A node that the filter refuses is refused until this changes. */
export const podAffinityVersion = (pod: PlannedPod, cluster: ClusterState): (() => string) => {
  const topologies = wantedBy(pod, cluster);
  return () => topologies.map(({ certain, possible }) => `${certain.taken()} ${possible.taken()}`).join(' ');
};

interface WantedTopology {
  readonly topologyKey: string;
  /** Where counted pods are for sure: on nodes of a known zone. */
  readonly certain: DomainCounts;
  /** Where counted pods are or may be. */
  readonly possible: DomainCounts;
}

function wantedBy({ podAffinity }: PlannedPod, cluster: ClusterState): readonly WantedTopology[] {
  const counts = cluster.countsOf(podAffinity.map(({ selector }) => selector));
  return podAffinity.map(({ topologyKey }) => ({
    topologyKey,
    certain: certainDomains(counts, topologyKey),
    possible: possibleDomains(counts, topologyKey),
  }));
}

/** What the pod refuses. */
export const podAntiAffinityFilter: Filter = ({ podAntiAffinity }, cluster) => {
  if (podAntiAffinity.length === 0) return undefined;
  const topologies = podAntiAffinity.map(({ topologyKey, selector }) => ({
    topologyKey,
    domains: possibleDomains(cluster.countsOf([selector]), topologyKey),
  }));
  return (state) => (topologies.some((one) => isIn(state, one)) ? [reasons.podAntiAffinity] : passes);
};

/** What pods that are placed refuse. A pod without a term of its own is refused by them too. */
export const otherPodsFilter: Filter = (pod, { placedAntiAffinity }) => {
  const topologies: RefusedTopology[] = [];
  let known = 0;
  return (state) => {
    for (; known < placedAntiAffinity.length; known += 1) {
      const placed = placedAntiAffinity[known];
      if (placed === undefined || !selectsPod(placed.term.selector, pod)) continue;
      const { topologyKey } = placed.term;
      topologies.push({ topologyKey, domains: possibleDomains(placed.counts, topologyKey) });
    }
    for (const one of topologies) if (isIn(state, one)) return [reasons.otherAntiAffinity];
    return passes;
  };
};

interface RefusedTopology {
  readonly topologyKey: string;
  readonly domains: DomainCounts;
}

/** Whether the node is, or may be, in a domain that has counted pods. */
const isIn = (state: NodeState, { topologyKey, domains }: RefusedTopology): boolean =>
  possibleValuesOf(state, topologyKey).some((value) => domains.podsIn(value) > 0);

const certainDomains = (counts: PodCounts, topologyKey: string): DomainCounts =>
  counts.byDomain(`certain ${topologyKey}`, (state) => {
    const value = topologyValueOf(state, topologyKey);
    return value === undefined ? [] : [value];
  });

const possibleDomains = (counts: PodCounts, topologyKey: string): DomainCounts =>
  counts.byDomain(`possible ${topologyKey}`, (state) => possibleValuesOf(state, topologyKey));
