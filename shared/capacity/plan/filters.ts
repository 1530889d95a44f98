import type { ClusterState } from './cluster-state.ts';
import { type Filter, type NodeCheck, passes } from './filter.ts';
import {
  closedFilter,
  hostPortsFilter,
  namedFilter,
  nodeAffinityFilter,
  nodeNameFilter,
  taintFilter,
} from './node-filters.ts';
import { podAffinityFilter } from './pod-affinity-filter.ts';
import { resourcesFilter } from './resources-filter.ts';
import { spreadFilter } from './spread-filter.ts';
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

/** Judges nodes for one pod, in the state that the cluster has now: prepare it again after each placed pod. */
export const prepareCheck = (pod: PlannedPod, cluster: ClusterState): NodeCheck =>
  prepare(pod, cluster, () => true) ?? (() => passes);

/** Only what stays as it is while pods are placed. */
export const prepareSteadyCheck = (pod: PlannedPod, cluster: ClusterState): NodeCheck =>
  prepare(pod, cluster, (filter) => steadyFilters.has(filter)) ?? (() => passes);

/** Only what placed pods change, apart from the room that they take; undefined if the pod asks for no such thing. */
export const prepareChangingCheck = (pod: PlannedPod, cluster: ClusterState): NodeCheck | undefined =>
  prepare(pod, cluster, (filter) => !steadyFilters.has(filter) && filter !== resourcesFilter);

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
