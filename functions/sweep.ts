import { createAutoScaling } from '../shared/aws/auto-scaling.ts';
import { withFewerCalls } from '../shared/aws/cached.ts';
import { autoScalingClient, ec2Client, sqsClient } from '../shared/aws/clients.ts';
import { createEc2 } from '../shared/aws/ec2.ts';
import { isThrottled } from '../shared/aws/errors.ts';
import { countHealthReplacements, setUnhealthy } from '../shared/aws/repairs.ts';
import { createSqsQueue } from '../shared/aws/sqs.ts';
import type { LambdaHandler } from '../shared/base/lambda.ts';
import { createLog, type Log } from '../shared/base/log.ts';
import { createMetrics, type Metrics } from '../shared/base/metrics.ts';
import {
  createSilence,
  describeFailures,
  type ItemFailure,
  logFailures,
  reasonsOf,
} from '../shared/base/side-by-side.ts';
import { NoAnswerInTimeError } from '../shared/base/within-time.ts';
import { wakeUpMessage } from '../shared/etcd/wake-up-message.ts';
import type { AutoScalingGroup } from '../shared/groups/group.ts';
import { awsConnection } from '../shared/runtime/aws-connection.ts';
import { composeCluster } from '../shared/runtime/cluster.ts';
import { readConfig } from '../shared/runtime/config.ts';
import { composeDigest } from '../shared/runtime/digest.ts';
import type { FunctionHost, Host } from '../shared/runtime/host.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';
import { type RepairContext, type RepairReport, repairNodes } from '../shared/sweep/repair/repair-nodes.ts';
import { type SweepContext, type SweepReport, sweep } from '../shared/sweep/sweep.ts';
import { type LaunchSweepContext, sweepLaunches } from '../shared/sweep/sweep-launches.ts';

/** The result of a sweep, for operators who invoke it by hand. */
export interface SweepSummary {
  readonly groups: number;
  readonly nodes: number;
  readonly sent: number;
  /** How many launches wait on our hook and were sent to the queue of joining nodes. */
  readonly launching: number;
  /** Instances that were set Unhealthy because their nodes have failed for too long. */
  readonly repaired: readonly string[];
  readonly findings: SweepReport['plan']['findings'];
  /** What could not be read or done, each with its reason. The next sweep tries again. */
  readonly failures: ReturnType<typeof reasonsOf>;
}

/**
 * Finds what is missing, orphaned or drifted every few minutes, and wakes the passes for it.
 *
 * @throws ConfigError with every error in the environment.
 */
export function create(host: FunctionHost): LambdaHandler<unknown, SweepSummary> {
  const config = readConfig(host.environment, [
    'clusterName',
    'leavingQueueUrl',
    'leavingHookName',
    'heartbeatsQueueUrl',
    'joiningQueueUrl',
    'joiningHookName',
    'annotationTimeoutSeconds',
  ]);
  const { clusterName, leavingHookName, joiningHookName } = config;
  const wakeZone = zoneWaker(host);
  const connection = awsConnection(host);
  const { clock } = host;
  const client = autoScalingClient(connection);
  const sqs = sqsClient(connection);
  const shared = {
    autoScaling: withFewerCalls(createAutoScaling({ client, clusterName }), clock),
    ec2: createEc2(ec2Client(connection)),
    cluster: composeCluster(host),
    clock,
    clusterName,
    sendHeartbeats: createSqsQueue({ client: sqs, queueUrl: config.heartbeatsQueueUrl }).send,
  };
  const { send } = createSqsQueue({ client: sqs, queueUrl: config.leavingQueueUrl });
  const context: SweepContext = {
    ...shared,
    send,
    leavingHookName,
    silence: createSilence<string>((name) => name),
  };
  const joining = createSqsQueue({ client: sqs, queueUrl: config.joiningQueueUrl });
  const launches: LaunchSweepContext = {
    ...shared,
    send: joining.send,
    joiningHookName,
    silence: createSilence<AutoScalingGroup>(({ autoScalingGroupName }) => autoScalingGroupName),
  };
  const repairs: RepairContext = {
    ...shared,
    annotationTimeoutSeconds: config.annotationTimeoutSeconds,
    setUnhealthy: (instanceId) => setUnhealthy(client, instanceId),
    countReplacements: (name, since) => countHealthReplacements(client, name, since),
  };
  const log = createLog(host, { function: 'sweep' });
  const metrics = createMetrics(host, clusterName);
  const tellProblems = composeDigest(host, { ...shared, log, metrics });
  return async (event, invocation) => {
    // The parts are independent: if the API server is down, etcd may need a pass, and launches need heartbeats.
    const [woken, launched, swept] = await Promise.allSettled([
      wakeZone(),
      sweepLaunches(launches),
      sweep(context),
    ]);
    const launching = launched.status === 'fulfilled' ? launched.value.sent : 0;
    if (swept.status === 'fulfilled') reportSweep({ ...swept.value, launching }, log, metrics);
    // Repair lists all Nodes too. In a very large cluster, two such lists at the same time would need too much memory.
    const [repair] = await Promise.allSettled([repairNodes(repairs)]);
    if (repair.status === 'fulfilled') reportRepairs(repair.value, log, metrics);
    const failures: readonly ItemFailure[] = [
      ...failuresIn(woken, 'the zone of etcd', () => []),
      ...failuresIn(launched, 'the launches', (report) => report.failures),
      ...failuresIn(swept, 'the waits and Nodes', (report) => report.failures),
      ...failuresIn(repair, 'the repair of nodes', (report) => report.failures),
    ];
    logFailures(log, 'a part of the sweep was not done, and the next sweep tries again', failures);
    metrics.put({ FailedPasses: failures.length > 0 ? 1 : 0 });
    const lasting = failures.filter(({ error }) => !isTransient(error));
    // Last, because nothing waits for it.
    await tellProblems?.(event, {
      getRemainingTimeInMillis: () => invocation.getRemainingTimeInMillis(),
      wasThrottled: failures.some(({ error }) => isThrottled(error)),
    });
    if (lasting.length > 0)
      throw new AggregateError(
        lasting.map(({ error }) => error),
        `the sweep is not complete, and the next one tries again: ${describeFailures(lasting)}`,
      );
    return {
      ...(swept.status === 'fulfilled' ? countsOf(swept.value) : nothingSwept),
      launching,
      repaired:
        repair.status === 'fulfilled' ? repair.value.repaired.map(({ instanceId }) => instanceId) : [],
      failures: reasonsOf(failures),
    };
  };
}

export const handler = onLambda(create);

/** It ends by itself, and is not an error of the function. The alarm `failed-passes` is raised if it lasts. */
const isTransient = (error: unknown): boolean => isThrottled(error) || error instanceof NoAnswerInTimeError;

/** A part that could not begin is one failure. */
const failuresIn = <Report>(
  part: PromiseSettledResult<Report>,
  item: string,
  failuresOf: (report: Report) => readonly ItemFailure[],
): readonly ItemFailure[] =>
  part.status === 'fulfilled' ? failuresOf(part.value) : [{ item, error: part.reason as unknown }];

type Counts = Pick<SweepSummary, 'groups' | 'nodes' | 'sent' | 'findings'>;

const countsOf = ({ groups, nodes, plan }: SweepReport): Counts => ({
  groups,
  nodes,
  sent: plan.send.length,
  findings: plan.findings,
});

const nothingSwept: Counts = { groups: 0, nodes: 0, sent: 0, findings: [] };

/**
 * Wakes the passes over the etcd zone. They find lost events, and failed members, for which there is no event.
 *
 * @throws if the message could not be sent. The next sweep sends another.
 */
function zoneWaker(host: Host): () => Promise<void> {
  const { etcdDomain: domain, etcdQueueUrl: queueUrl } = readConfig(host.environment, [
    'etcdDomain',
    'etcdQueueUrl',
  ]);
  if (!domain) return async () => undefined;
  const { send } = createSqsQueue({ client: sqsClient(awsConnection(host)), queueUrl });
  return async () => {
    const noticedAt = new Date(host.clock.now()).toISOString();
    const notice = { cause: 'swept', domain, noticedAt } as const;
    const [failure] = await send([wakeUpMessage(notice, { key: noticedAt, sentAt: noticedAt })]);
    if (failure) throw new Error(`the zone of ${domain} could not be woken`, { cause: failure.error });
  };
}

/** Writes a line for every finding and one for the sweep. */
function reportSweep(
  report: SweepReport & Pick<SweepSummary, 'launching'>,
  log: Log,
  metrics: Metrics,
): void {
  const { plan, groups, nodes, launching, overdueSeconds, quietSeconds } = report;
  for (const { kind, subject, message } of plan.findings) log.warn(message, { finding: kind, subject });
  if (plan.withheld)
    log.warn(
      'too many nodes would be deleted, so none is: find out what happened to their instances',
      plan.withheld,
    );
  log.info('sweep', { groups, nodes, sent: plan.send.length, launching, findings: plan.findings.length });
  metrics.put({
    BoundExceeded: plan.withheld ? 1 : 0,
    DeadlineOverdueSeconds: overdueSeconds,
    PassAgeSeconds: quietSeconds,
  });
}

/** Writes a line for every failing node, with its verdict, and for every tag that has no effect. */
export function reportRepairs(
  { findings, repaired, problems }: RepairReport,
  log: Log,
  metrics: Metrics,
): void {
  for (const { autoScalingGroupName, message } of problems) log.warn(message, { autoScalingGroupName });
  for (const { since, ...finding } of findings) {
    const isRepaired = repaired.some(({ instanceId }) => instanceId === finding.instanceId);
    log.warn(isRepaired ? 'the instance of a failed node is set Unhealthy' : 'a node fails', {
      ...finding,
      ...(since !== undefined && { since: new Date(since).toISOString() }),
    });
  }
  metrics.put({
    NodesRepaired: repaired.length,
    RepairsWithheld: findings.filter(({ verdict }) => verdict === 'withheld').length,
  });
}
