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
import { jsonText } from '../json-text.ts';
import { viewOf } from '../table/column.ts';
import { csvText } from './csv.ts';
import { observeActivities } from './observe-activities.ts';
import { type LogsObserved, observeLogs } from './observe-logs.ts';
import type { Observed } from './observed.ts';
import { noPrices, type Prices } from './price.ts';
import type { LinesRead } from './read-lines.ts';
import { reportOf } from './report-of.ts';
import { reportText } from './text.ts';

export interface ReportFlags extends AutoScalingFlags {
  /** Epoch milliseconds. */
  readonly since: number;
  readonly price?: Prices;
  readonly stage?: string;
  readonly json?: true;
  readonly csv?: true;
}

/**
 * Prints the report of a time that ends now.
 *
 * @throws CliError `couldNotLook` once the report is printed, if something could not be read; `failed` if there is no such group or deployment.
 */
export async function report(
  group: string | undefined,
  flags: ReportFlags,
  context: CliContext,
): Promise<void> {
  const access = autoScalingAccess(flags, context);
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  const until = context.clock.now();
  const { since } = flags;
  const groups = await managedGroups(access, group);
  const stage = await stageOf(access, flags, connection);
  const client = new CloudWatchLogsClient(clientSettings(connection, 'CloudWatch Logs'));
  const logs = await observeLogs(
    { client, pause: context.pause, onProgress: progressOn(context) },
    { stage, since, until },
  );
  if (logs.isNone)
    throw new CliError(
      `no function of stage ${stage} has a log in this account and region: check --stage and --region`,
      exitCodes.failed,
    );
  const observed = await besidesLogs(access, { logs, groups, since, until });
  const found = reportOf(observed, {
    cluster: access.clusterName,
    stage,
    group,
    prices: flags.price ?? noPrices,
  });
  if (flags.json) context.stdout.write(jsonText(found));
  else if (flags.csv) context.stdout.write(csvText(found));
  else context.stdout.write(reportText(found, viewOf(context.stdout)));
  // JSON and the text contain it. CSV has no place for it.
  if (flags.csv) for (const missing of found.covers.missing) context.stderr.write(`${missing}\n`);
  if (logs.unread.length > 0 || observed.activities.kind === 'unknown')
    throw new CliError('the report lacks what could not be read', exitCodes.couldNotLook);
}

/**
 * The named stage is checked too: the logs of one cluster must not be printed under the name of another. Who may not list the rules is believed.
 *
 * @throws CliError if the named stage serves another cluster, no deployment serves the cluster, or several may and none is named.
 */
async function stageOf(
  { clusterName }: Pick<AutoScalingAccess, 'clusterName'>,
  { stage: named }: Pick<ReportFlags, 'stage'>,
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

/** A log of fewer lines is read within seconds. */
const progressLines = 20_000;

/** On a terminal, a line for each of these many lines that were read. */
function progressOn({ stderr }: Pick<CliContext, 'stderr'>): (name: string, read: LinesRead) => void {
  let next = progressLines;
  let of = '';
  return (name, { lines, oldest }) => {
    if (name !== of) {
      of = name;
      next = progressLines;
    }
    if (!stderr.isTerminal || lines < next || oldest === undefined) return;
    next = lines + progressLines;
    stderr.write(`${name}: ${lines.toLocaleString('en')} lines read, back to ${isoSeconds(oldest)}\n`);
  };
}
