import type { ClusterState } from './cluster-state.ts';
import { type Filter, type NodeCheck, passes } from './filter.ts';
import {
  closedFilter,
  hostPortsFilter,
  namedFilter,
  nodeAffinityFilter,
  nodeNameFilter,
  resourcesFilter,
  taintFilter,
} from './node-filters.ts';
import {
  otherPodsFilter,
  podAffinityFilter,
  podAffinityVersion,
  podAntiAffinityFilter,
} from './pod-affinity-filter.ts';
import { spreadFilter, spreadVersion } from './spread-filter.ts';
import type { PlannedPod } from './types.ts';
import {
  attachLimitFilter,
  claimFilter,
  exclusiveClaimFilter,
  sharedClaimFilter,
  volumeAffinityFilter,
  volumeZoneFilter,
} from './volume-filters.ts';

/** The filters of kube-scheduler in its order (getDefaultPlugins): a node is counted under the first that refuses it. */
export const filters: readonly Filter[] = [
  claimFilter,
  namedFilter,
  closedFilter,
  nodeNameFilter,
  taintFilter,
  nodeAffinityFilter,
  hostPortsFilter,
  resourcesFilter,
  exclusiveClaimFilter,
  attachLimitFilter,
  volumeAffinityFilter,
  sharedClaimFilter,
  volumeZoneFilter,
  spreadFilter,
  podAffinityFilter,
  podAntiAffinityFilter,
  otherPodsFilter,
];

/** The verdicts of these filters do not change while pods are placed. */
const steadyFilters: ReadonlySet<Filter> = new Set([
  claimFilter,
  namedFilter,
  closedFilter,
  nodeNameFilter,
  taintFilter,
  nodeAffinityFilter,
  volumeAffinityFilter,
  volumeZoneFilter,
]);

/** These filters may refuse a node and later take it, because of pods that were placed meanwhile. All others refuse a node for good. */
const changingFilters: ReadonlySet<Filter> = new Set([spreadFilter, podAffinityFilter]);

/** Judges nodes for one pod, and for pods of the same shape, while pods are placed. */
export const prepareCheck = (pod: PlannedPod, cluster: ClusterState): NodeCheck =>
  prepare(pod, cluster, () => true) ?? (() => passes);

/** Only what stays as it is while pods are placed. */
export const prepareSteadyCheck = (pod: PlannedPod, cluster: ClusterState): NodeCheck =>
  prepare(pod, cluster, (filter) => steadyFilters.has(filter)) ?? (() => passes);

/** Only what placed pods may refuse for good, apart from the room that they take; undefined if the pod asks for no such thing. */
export const prepareLastingCheck = (pod: PlannedPod, cluster: ClusterState): NodeCheck | undefined =>
  prepare(
    pod,
    cluster,
    (filter) => !steadyFilters.has(filter) && !changingFilters.has(filter) && filter !== resourcesFilter,
  );

/** A check whose refusals may end. */
export interface ChangingCheck {
  readonly check: NodeCheck;
  /** A node that is refused is refused until this changes. */
  readonly version: () => string;
}

/** Only what placed pods may refuse and later allow; undefined if the pod asks for no such thing. */
export function prepareChangingCheck(pod: PlannedPod, cluster: ClusterState): ChangingCheck | undefined {
  const check = prepare(pod, cluster, (filter) => changingFilters.has(filter));
  if (check === undefined) return undefined;
  const versions = [
    ...(pod.spread.length > 0 ? [spreadVersion(pod, cluster)] : []),
    ...(pod.podAffinity.length > 0 ? [podAffinityVersion(pod, cluster)] : []),
  ];
  return { check, version: () => versions.map((version) => version()).join(' ') };
}

function prepare(
  pod: PlannedPod,
  cluster: ClusterState,
  isChosen: (filter: Filter) => boolean,
): NodeCheck | undefined {
  const checks = filters
    .filter(isChosen)
    .map((filter) => filter(pod, cluster))
    .filter((check) => check !== undefined);
  if (checks.length === 0) return undefined;
  return (state) => {
    for (const check of checks) {
      const refusal = check(state);
      if (refusal.length > 0) return refusal;
    }
    return passes;
  };
}
