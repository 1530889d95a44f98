import type { SQSBatchResponse } from 'aws-lambda';
import { schedulerClient, sqsClient } from '../shared/aws/clients.ts';
import { scheduleReader } from '../shared/aws/schedules.ts';
import { createSqsQueue } from '../shared/aws/sqs.ts';
import type { LambdaHandler } from '../shared/base/lambda.ts';
import { createLog, type Log } from '../shared/base/log.ts';
import { messageOf } from '../shared/base/message-of.ts';
import { createMetrics, type Metrics } from '../shared/base/metrics.ts';
import { nodegroupWords } from '../shared/capacity/groups.ts';
import type { HoldContext } from '../shared/capacity/holds/context.ts';
import { newestReading, readCapacityMessage } from '../shared/capacity/holds/message.ts';
import { capacityPass } from '../shared/capacity/holds/pass.ts';
import { createScanSilence, type ScanReport, scanHolds } from '../shared/capacity/holds/scan-holds.ts';
import { scheduleGroupOf } from '../shared/capacity/schedules/schedule.ts';
import { createQueueHandler } from '../shared/passes/queue/queue-handler.ts';
import { rejectWhenAborted } from '../shared/passes/time-is-up.ts';
import { awsConnection } from '../shared/runtime/aws-connection.ts';
import { readConfig } from '../shared/runtime/config.ts';
import { holdContext } from '../shared/runtime/hold-context.ts';
import type { FunctionHost } from '../shared/runtime/host.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';
import { composeNotifications } from '../shared/runtime/notifier.ts';
import { composePodsReader } from '../shared/runtime/pods-reader.ts';

/** The result of a scan, for an operator who invokes the function by hand. */
export interface ScanSummary {
  readonly holds: number;
  /** The holds that this scan created for schedules. */
  readonly made: readonly string[];
  readonly sent: readonly string[];
  readonly problems: readonly { readonly group: string; readonly problem: string }[];
  readonly scheduleProblems: readonly string[];
  /** The parameters below the path of holds that are not holds. */
  readonly strays: readonly string[];
  /** The groups whose pass could not be started, each with the reason. The next scan tries again. */
  readonly failures: readonly { readonly group: string; readonly reason: string }[];
}

/**
 * Keeps as many nodes in each group as its holds ask for: a scan every minute, and passes over the groups with something to do.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function create(host: FunctionHost): LambdaHandler<unknown, SQSBatchResponse | ScanSummary> {
  const { clusterName, maxSizeLimit, capacityQueueUrl, capacityDeadLetterQueueUrl, leavingQueueUrl } =
    readConfig(host.environment, [
      'clusterName',
      'maxSizeLimit',
      'capacityQueueUrl',
      'capacityDeadLetterQueueUrl',
      'leavingQueueUrl',
    ]);
  const log = createLog(host, { function: 'prewarm' });
  const metrics = createMetrics(host, clusterName);
  const client = sqsClient(awsConnection(host));
  const queue = createSqsQueue({ client, queueUrl: capacityQueueUrl });
  const notify = composeNotifications(host, log);
  const context = holdContext(host, { clusterName, maxSizeLimit, notify });
  const readSchedules = scheduleReader({
    client: schedulerClient(awsConnection(host)),
    groupName: scheduleGroupOf(clusterName),
    clock: host.clock,
  });
  const schedules = {
    readSchedules,
    readLaunches: (name: string) => context.groups.readLaunches(name),
  };
  const passes = createQueueHandler({
    work: 'capacity',
    host,
    log,
    metrics,
    queue: { ...queue, park: createSqsQueue({ client, queueUrl: capacityDeadLetterQueueUrl }).send },
    read: readCapacityMessage,
    pass: async ({ id, notices }, signal) =>
      await capacityPass(
        { ...whileInTime(context, signal), clock: host.clock },
        notices[0]?.autoScalingGroupName ?? id,
        newestReading(notices),
      ),
  });
  const silence = createScanSilence();
  const pods = composePodsReader(host);
  return async (event, invocation) => {
    if (isBatch(event)) return await passes(event, invocation);
    const report = await scanHolds({
      ...context,
      clock: host.clock,
      send: queue.send,
      sendGivingBack: createSqsQueue({ client, queueUrl: leavingQueueUrl }).send,
      schedules,
      silence,
      pods,
      readReasons: async (group) => {
        const [failure, nodegroup] = await Promise.all([
          context.groups.readFailedLaunch(group.autoScalingGroupName),
          context.groups.readNodegroup(group),
        ]);
        return [
          ...(failure === undefined ? [] : [`the last launch failed: ${failure}`]),
          ...(nodegroup ? nodegroupWords(nodegroup) : []),
        ];
      },
    });
    return reportScan(report, log, metrics);
  };
}

export const handler = onLambda(create);

const isBatch = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && 'Records' in event;

/** The context of one pass. It makes no calls after the invocation's time is up. */
const whileInTime = (context: HoldContext, signal: AbortSignal): HoldContext => ({
  ...context,
  parameters: rejectWhenAborted(signal, context.parameters),
  groups: rejectWhenAborted(signal, context.groups),
});

/** Logs one line for each problem, one for each group whose pass could not be started, and one for the whole scan. */
function reportScan(report: ScanReport, log: Log, metrics: Metrics): ScanSummary {
  const { groups, made, scheduleProblems, strays, sent, failures } = report;
  const problems = groups.flatMap(({ autoScalingGroupName: group, problems: found }) =>
    found.map((problem) => ({ group, problem })),
  );
  for (const { group, problem } of problems) log.warn(problem, { group });
  for (const problem of [...scheduleProblems, ...strays]) log.warn(problem);
  for (const { autoScalingGroupName: group, error } of failures)
    log.error('the pass of a group was not started, and the next scan tries again', error, { group });
  const holds = groups.reduce((sum, { activeHolds }) => sum + activeHolds, 0);
  const held = groups.flatMap((group) => group.held ?? []);
  const problemCount = problems.length + scheduleProblems.length + strays.length;
  log.info('look', {
    groups: groups.length,
    holds,
    ...(held.length > 0 && { held }),
    made,
    sent: sent.length,
    problems: problemCount,
    ...(failures.length > 0 && { failures: failures.length }),
  });
  metrics.put({
    Holds: holds,
    HoldProblems: problemCount,
    // Silence alarms. A zero would alarm after one period, and a single period of failed runs must not.
    ...(failures.length === 0 && { HoldLooks: 1 }),
  });
  return {
    holds,
    made,
    sent,
    problems,
    scheduleProblems,
    strays,
    failures: failures.map(({ autoScalingGroupName: group, error }) => ({ group, reason: messageOf(error) })),
  };
}
