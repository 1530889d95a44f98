import type { ClusterState, NodeState } from './cluster-state.ts';
import type { DomainCounts } from './domain-counts.ts';
import { type Filter, type NodeCheck, passes, topologyValueOf } from './filter.ts';
import { selectsNode } from './node-affinity.ts';
import { selectsPod } from './pod.ts';
import { reasons } from './reasons.ts';
import { toleratesTaints } from './taints.ts';
import type { PlannedPod, PodSelector, SpreadConstraint } from './types.ts';

/** One constraint with the numbers of pods in its domains. */
interface CountedConstraint {
  readonly constraint: SpreadConstraint;
  readonly domains: DomainCounts;
  /** 1 if the pod counts itself. */
  readonly own: number;
}

/**
 * PodTopologySpread with DoNotSchedule. A domain counts only if one of its nodes has the keys of all constraints and, as the policies say, fits
 * the node affinity and the taints of the pod. A new node whose zone is unknown is in no zone, so no pod with such a constraint is promised
 * a place on it.
 */
export const spreadFilter: Filter = (pod, cluster): NodeCheck | undefined => {
  if (pod.spread.length === 0) return undefined;
  const counted = countedOf(pod, cluster);
  return (state) => {
    for (const one of counted) {
      const domain = topologyValueOf(state, one.constraint.topologyKey);
      if (domain === undefined) return [reasons.spreadLabel];
      if (one.domains.podsIn(domain) + one.own - fewestOf(one) > one.constraint.maxSkew)
        return [reasons.spread];
    }
    return passes;
  };
};

/** A node that the filter refuses is refused until this changes. */
export const spreadVersion = (pod: PlannedPod, cluster: ClusterState): (() => string) => {
  const counted = countedOf(pod, cluster);
  return () => counted.map(fewestOf).join(' ');
};

/** The fewest pods of a domain; 0 if there are fewer domains than the constraint wants. */
const fewestOf = ({ constraint, domains }: CountedConstraint): number =>
  domains.domains() < constraint.minDomains ? 0 : domains.fewest();

/** In the scheduler an empty selector counts no pods, although it selects the pod itself. */
const noPods: PodSelector = { namespaces: new Set(), requirements: [], key: 'none' };

function countedOf(pod: PlannedPod, cluster: ClusterState): readonly CountedConstraint[] {
  return pod.spread.map((constraint) => {
    const isEmpty = constraint.selector.requirements.length === 0;
    const counts = cluster.countsOf([isEmpty ? noPods : constraint.selector], { withoutTerminating: true });
    const domains = counts.byDomain(keyOfDomains(constraint, pod), (state) => {
      const domain = topologyValueOf(state, constraint.topologyKey);
      return domain !== undefined && isIncluded(state, constraint, pod) ? [domain] : [];
    });
    return { constraint, domains, own: selectsPod(constraint.selector, pod) ? 1 : 0 };
  });
}

/** All that decides which nodes are included. */
const keyOfDomains = (
  { topologyKey, honorsNodeAffinity, honorsTaints }: SpreadConstraint,
  { spread, nodeSelector, nodeTerms, tolerations }: PlannedPod,
): string =>
  JSON.stringify([
    topologyKey,
    spread.map((other) => other.topologyKey),
    honorsNodeAffinity && [nodeSelector, nodeTerms],
    honorsTaints && tolerations,
  ]);

const isIncluded = (state: NodeState, constraint: SpreadConstraint, pod: PlannedPod): boolean =>
  pod.spread.every(({ topologyKey }) => topologyValueOf(state, topologyKey) !== undefined) &&
  (!constraint.honorsNodeAffinity || selectsNode(pod, state.node)) &&
  (!constraint.honorsTaints || toleratesTaints(pod.tolerations, state.node.taints));
