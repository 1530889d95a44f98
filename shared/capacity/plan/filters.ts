import type { ClusterState } from './cluster-state.ts';
import { type Filter, type NodeCheck, passes } from './filter.ts';
import {
  closedFilter,
  hostPortsFilter,
  nodeAffinityFilter,
  nodeNameFilter,
  taintFilter,
} from './node-filters.ts';
import { podAffinityFilter } from './pod-affinity-filter.ts';
import { resourcesFilter } from './resources-filter.ts';
import { spreadFilter } from './spread-filter.ts';
import type { PlannedPod } from './types.ts';
import { attachLimitFilter, exclusiveClaimFilter, volumeAffinityFilter } from './volume-filters.ts';

/**
 * The filters of kube-scheduler in its order (getDefaultPlugins): a node is counted under the first that refuses it. VolumeBinding comes before
 * VolumeZone within one filter, and a claim that cannot be bound at all refuses every node.
 */
export const filters: readonly Filter[] = [
  closedFilter,
  nodeNameFilter,
  taintFilter,
  nodeAffinityFilter,
  hostPortsFilter,
  resourcesFilter,
  exclusiveClaimFilter,
  attachLimitFilter,
  volumeAffinityFilter,
  spreadFilter,
  podAffinityFilter,
];

/** Judges nodes for one pod, in the state that the cluster has now: prepare it again after each placed pod. */
export function prepareCheck(pod: PlannedPod, cluster: ClusterState): NodeCheck {
  const checks = filters.map((filter) => filter(pod, cluster)).filter((check) => check !== undefined);
  return (state) => {
    for (const check of checks) {
      const refusal = check(state);
      if (refusal.length > 0) return refusal;
    }
    return passes;
  };
}
