import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientSettings } from '../../shared/aws/client-settings.ts';
import type { AwsConnection } from '../../shared/aws/connection.ts';
import { refusalOf } from '../../shared/aws/errors.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { type AutoScalingGroup, roleOf } from '../../shared/groups/group.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { type AutoScalingAccess, autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { managedGroups } from '../auto-scaling/groups.ts';
import type { CliContext } from '../context.ts';
import { readDeployments, stageServing } from '../deployments/deployments.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import { observeActivities } from './observe-activities.ts';
import { type LogsObserved, type LogsReading, observeLogs } from './observe-logs.ts';
import type { Observed } from './observed.ts';

export interface ObserveFlags extends AutoScalingFlags {
  readonly stage?: string;
}

/** What to read. */
export interface ObserveQuery extends Pick<LogsReading, 'onProgress' | 'signal'> {
  /** Epoch milliseconds. */
  readonly since: number;
  /** Undefined for every group. */
  readonly group?: string | undefined;
}

/** What was read of a deployment. */
export interface ObservedDeployment {
  readonly cluster: string;
  readonly stage: string;
  /** The groups of which the activities were read. */
  readonly groups: readonly string[];
  readonly observed: Observed;
  /** Whether every log and the activities could be read. */
  readonly isComplete: boolean;
}

/**
 * Reads the logs and activities of a time that ends now.
 *
 * @throws CliError `failed` if there is no such group or deployment, and the reason of the signal, if it ends the reading.
 */
export async function observeDeployment(
  flags: ObserveFlags,
  { since, group, onProgress, signal }: ObserveQuery,
  context: CliContext,
): Promise<ObservedDeployment> {
  const access = autoScalingAccess(flags, context);
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  const until = context.clock.now();
  const groups = await managedGroups(access, group);
  const stage = await stageOf(access, flags, connection);
  const client = new CloudWatchLogsClient(clientSettings(connection, 'CloudWatch Logs'));
  const logs = await observeLogs(
    { client, pause: context.pause, onProgress, signal },
    { stage, since, until },
  );
  if (logs.isNone)
    throw new CliError(
      `no function of stage ${stage} has a log in this account and region: check --stage and --region`,
      exitCodes.failed,
    );
  const observed = await besidesLogs(access, { logs, groups, since, until });
  signal?.throwIfAborted();
  return {
    cluster: access.clusterName,
    stage,
    groups: groups.map(({ autoScalingGroupName }) => autoScalingGroupName),
    observed,
    isComplete: logs.unread.length === 0 && observed.activities.kind === 'known',
  };
}

/**
 * The named stage is checked too: the logs of one cluster must not be printed under the name of another. Who may not list the rules is believed.
 *
 * @throws CliError if the named stage serves another cluster, no deployment serves the cluster, or several may and none is named.
 */
async function stageOf(
  { clusterName }: Pick<AutoScalingAccess, 'clusterName'>,
  { stage: named }: Pick<ObserveFlags, 'stage'>,
  connection: AwsConnection,
): Promise<string> {
  const events = new EventBridgeClient(clientSettings(connection, 'EventBridge'));
  const deployments = await readDeployments(events).catch((error: unknown) => {
    if (named !== undefined && refusalOf(error) === 'denied') return undefined;
    throw error;
  });
  if (named !== undefined && deployments === undefined) return named;
  const stage = stageServing(deployments ?? [], { clusterName, stage: named });
  if (stage !== undefined) return stage;
  throw new CliError(
    `no deployment of Drover for cluster ${clusterName} is in this account and region: check --cluster and --region`,
    exitCodes.failed,
  );
}

interface Read extends Pick<Observed, 'since' | 'until'> {
  readonly logs: LogsObserved;
  readonly groups: readonly AutoScalingGroup[];
}

async function besidesLogs(
  { client }: AutoScalingAccess,
  { logs, groups, since, until }: Read,
): Promise<Observed> {
  const names = groups.map(({ autoScalingGroupName }) => autoScalingGroupName);
  const { activities, from, missing } = await observeActivities(client, { groups: names, since, until });
  return {
    ...logs,
    since,
    until,
    activities,
    etcdGroups: new Set(
      groups.flatMap((group) => (roleOf(group) === 'etcd' ? [group.autoScalingGroupName] : [])),
    ),
    members: new Map(
      groups.flatMap(({ autoScalingGroupName, instances }) =>
        instances.map(({ instanceId }) => [instanceId, autoScalingGroupName] as const),
      ),
    ),
    covers: {
      logs: {
        from: logs.from === undefined ? null : isoSeconds(logs.from),
        to: isoSeconds(until),
        lines: logs.lines,
      },
      activities:
        activities.kind === 'known' ? { from: isoSeconds(from), count: activities.value.length } : null,
      missing: [...logs.missing, ...missing],
    },
  };
}
