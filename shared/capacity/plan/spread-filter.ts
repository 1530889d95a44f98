import type { ClusterState, NodeState } from './cluster-state.ts';
import { type Filter, type NodeCheck, passes, topologyValueOf } from './filter.ts';
import { selectsNode } from './node-affinity.ts';
import { selectsPod } from './pod.ts';
import { reasons } from './reasons.ts';
import { toleratesTaints } from './taints.ts';
import type { PlannedPod, SpreadConstraint } from './types.ts';

/** One constraint with the numbers of pods in its domains. */
interface CountedConstraint {
  readonly constraint: SpreadConstraint;
  readonly podsByDomain: ReadonlyMap<string, number>;
  /** The fewest pods of a domain; 0 if there are fewer domains than the constraint wants. */
  readonly fewest: number;
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
  const counted = pod.spread.map((constraint) => countDomains(constraint, pod, cluster));
  return (state) => {
    for (const { constraint, podsByDomain, fewest, own } of counted) {
      const domain = topologyValueOf(state, constraint.topologyKey);
      if (domain === undefined) return [reasons.spreadLabel];
      if ((podsByDomain.get(domain) ?? 0) + own - fewest > constraint.maxSkew) return [reasons.spread];
    }
    return passes;
  };
};

function countDomains(
  constraint: SpreadConstraint,
  pod: PlannedPod,
  cluster: ClusterState,
): CountedConstraint {
  // In the scheduler an empty selector counts no pods, although it selects the pod itself.
  const isEmpty = constraint.selector.requirements.length === 0;
  const counts = isEmpty ? [] : cluster.countsOf([constraint.selector], { withoutTerminating: true });
  const podsByDomain = new Map<string, number>();
  for (const [domain, indexes] of domainsOf(constraint, pod, cluster))
    podsByDomain.set(
      domain,
      indexes.reduce((sum, index) => sum + (counts[index] ?? 0), 0),
    );
  const fewest =
    podsByDomain.size < constraint.minDomains ? 0 : [...podsByDomain.values()].reduce(smaller, Infinity);
  return { constraint, podsByDomain, fewest, own: selectsPod(constraint.selector, pod) ? 1 : 0 };
}

/** The indexes of the nodes of each domain that counts for a pod. */
type Domains = ReadonlyMap<string, readonly number[]>;

/** The domains depend on the nodes and the shape of the pod, not on pods that are placed. */
const knownDomains = new WeakMap<
  ClusterState,
  { readonly revision: number; readonly byConstraint: Map<string, Domains> }
>();

/** Pods of a StatefulSet differ in a label, so each may have a shape of its own. */
const mostKept = 256;

function domainsOf(constraint: SpreadConstraint, pod: PlannedPod, cluster: ClusterState): Domains {
  const kept = knownDomains.get(cluster);
  const { byConstraint } =
    kept?.revision === cluster.revision() ? kept : { byConstraint: new Map<string, Domains>() };
  if (byConstraint !== kept?.byConstraint)
    knownDomains.set(cluster, { revision: cluster.revision(), byConstraint });
  const key = `${pod.spread.indexOf(constraint)} ${pod.shape}`;
  if (byConstraint.size >= mostKept) byConstraint.clear();
  const domains = byConstraint.get(key) ?? findDomains(constraint, pod, cluster);
  byConstraint.set(key, domains);
  return domains;
}

function findDomains(constraint: SpreadConstraint, pod: PlannedPod, cluster: ClusterState): Domains {
  const domains = new Map<string, number[]>();
  for (const state of cluster.nodes) {
    const domain = topologyValueOf(state, constraint.topologyKey);
    if (domain === undefined || !isIncluded(state, constraint, pod)) continue;
    const indexes = domains.get(domain) ?? [];
    indexes.push(state.index);
    domains.set(domain, indexes);
  }
  return domains;
}

const smaller = (one: number, other: number): number => Math.min(one, other);

const isIncluded = (state: NodeState, constraint: SpreadConstraint, pod: PlannedPod): boolean =>
  pod.spread.every(({ topologyKey }) => topologyValueOf(state, topologyKey) !== undefined) &&
  (!constraint.honorsNodeAffinity || selectsNode(pod, state.node)) &&
  (!constraint.honorsTaints || toleratesTaints(pod.tolerations, state.node.taints));
