import { problemView } from '../../../ui/server/views/problem.ts';
import type { ClusterCounts, ClusterRow, ClustersState } from '../../../ui/state/clusters.ts';
import type { AllStatus, ClusterStatus } from '../../status/all/look.ts';
import type { StatusReport } from '../../status/report.ts';
import type { Sweep } from './last-sweep.ts';

interface Named {
  readonly stage: string;
  readonly clusterName?: string | null | undefined;
}

/**
 * The name of the page of a deployment: its cluster and its stage, so that an address never leads to another cluster. Neither contains `@`. Null
 * without a cluster. Pure.
 */
export const pageNameOf = ({ clusterName, stage }: Named): string | null =>
  clusterName === undefined || clusterName === null ? null : `${clusterName}@${stage}`;

export interface ReadClusters extends Pick<ClustersState, 'region' | 'accountId'> {
  readonly all: AllStatus;
  /** By stage. */
  readonly sweeps: ReadonlyMap<string, Sweep>;
}

/** The list from what `drover status --all` reads. By name: the list stays as it is while states change. Pure. */
export function clustersState({ all, sweeps, ...place }: ReadClusters): Omit<ClustersState, 'now'> {
  return {
    ...place,
    clusters: all.clusters.map((one) => rowOf(one, sweeps.get(one.stage))).toSorted(byName),
    problems: all.problems.map(({ stage, clusterName, ...problem }) => ({
      ...problemView(problem),
      stage,
      clusterName,
      page: addressOf({ stage, clusterName }),
    })),
    unknown: [],
  };
}

const addressOf = (named: Named): string | null => {
  const name = pageNameOf(named);
  return name === null ? null : `${name}/`;
};

function rowOf(status: ClusterStatus, sweep: Sweep | undefined): ClusterRow {
  const { stage, clusterName, state, report, reasons } = status;
  const sweepReason = sweep?.kind === 'unknown' ? [`cannot read when Drover ran last: ${sweep.reason}`] : [];
  return {
    stage,
    clusterName,
    page: addressOf(status),
    state,
    counts: report && countsOf(report),
    reasons: [...reasons, ...sweepReason],
    ...(sweep?.kind === 'known' && { sweptAt: sweep.at }),
  };
}

const countsOf = ({ groups, leaving, joining, problems }: StatusReport): ClusterCounts => ({
  groups: groups.length,
  instances: groups.reduce((sum, group) => sum + group.instances, 0),
  leaving: leaving.length,
  joining: joining.length,
  problems: problems.length,
});

/** Those without a name come last. */
const byName = (one: ClusterRow, other: ClusterRow): number =>
  Number(one.clusterName === null) - Number(other.clusterName === null) ||
  (one.clusterName ?? '').localeCompare(other.clusterName ?? '') ||
  one.stage.localeCompare(other.stage);
