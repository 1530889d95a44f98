import type { ConnectionSource } from '../../../shared/kubernetes/connection.ts';
import type { ReportSource } from '../../../ui/server/report.ts';
import type { DashboardState } from '../../../ui/state/types.ts';
import type { CliContext } from '../../context.ts';
import { createReports } from '../report/reports.ts';
import type { Turn } from '../report/turn.ts';
import { type DirectFlags, directAccess } from './access.ts';
import { directReader } from './read.ts';
import { directState } from './state.ts';

/** What the page of one cluster is made of. */
export interface ClusterSource {
  readonly read: () => Promise<DashboardState>;
  /** Undefined without access to logs. */
  readonly reports?: ReportSource;
}

/**
 * A cluster that is read with AWS credentials and a kubeconfig.
 *
 * @throws ConfigError with all that is wrong with the flags and the environment; nothing is asked yet.
 */
export function directSource(
  flags: DirectFlags,
  turn: Turn,
  context: CliContext,
  connections?: ConnectionSource,
): Required<ClusterSource> {
  const access = directAccess(flags, context, connections);
  const read = directReader(access);
  const { clusterName } = access.autoScaling;
  return {
    read: async () => directState(await read()),
    reports: createReports({ clusterName, flags, turn }, context),
  };
}
