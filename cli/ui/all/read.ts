import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { clientSettings } from '../../../shared/aws/client-settings.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import type { ClustersState } from '../../../ui/state/clusters.ts';
import type { CliContext } from '../../context.ts';
import { environmentOf, hostOf } from '../../host.ts';
import { asksForFewerCalls } from '../../observation/asks-for-fewer-calls.ts';
import { oneLine } from '../../plain-text.ts';
import { reasonOf } from '../../reason-of.ts';
import { type AllFlags, lookAtAll } from '../../status/all/look.ts';
import { clustersState } from './clusters-state.ts';
import { readSweeps } from './last-sweep.ts';

const nothing: Omit<ClustersState, 'now'> = { clusters: [], problems: [], unknown: [] };

/**
 * Reads all deployments again and again. If they cannot be listed, what was read before is shown with its time, and the reason. One that cannot
 * be read does not hide the others.
 */
export function clustersReader(flags: AllFlags, context: CliContext): () => Promise<ClustersState> {
  const { clock } = context;
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  const logs = new CloudWatchLogsClient(clientSettings(connection, 'CloudWatch Logs'));
  const { region } = connection;
  let former = { ...nothing, region };
  return async () => {
    const readAt = clock.now();
    try {
      const all = await lookAtAll(flags, context);
      const sweeps = await readSweeps(
        all.clusters.map(({ stage }) => stage),
        logs,
        context,
      );
      former = { ...clustersState({ all, sweeps, region }), region, readAt };
      return { ...former, now: clock.now() };
    } catch (error) {
      const reason = oneLine(reasonOf(error));
      const isThrottled = asksForFewerCalls(error);
      const unknown = [{ what: 'the clusters', reason, ...(isThrottled && { isThrottled: true as const }) }];
      return { ...former, now: clock.now(), unknown };
    }
  };
}
