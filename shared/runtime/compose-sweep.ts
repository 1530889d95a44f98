import { createAutoScaling } from '../aws/auto-scaling.ts';
import { autoScalingClient, ec2Client, sqsClient } from '../aws/clients.ts';
import { createEc2 } from '../aws/ec2.ts';
import { withFewerCalls } from '../aws/fewer-calls.ts';
import { countHealthReplacements, setUnhealthy } from '../aws/repairs.ts';
import { createSqsQueue } from '../aws/sqs.ts';
import { messageOf } from '../base/message-of.ts';
import { type SweepContext, type SweepReport, sweep } from '../draining/sweep/sweep.ts';
import { wakeUpMessage } from '../etcd/wake-up-message.ts';
import { type LaunchSweepContext, sweepLaunches } from '../joining/sweep-launches.ts';
import { type RepairContext, repairNodes } from '../repair/repair-nodes.ts';
import { awsConnection } from './aws-connection.ts';
import { composeCluster } from './compose-cluster.ts';
import { readConfig } from './config.ts';
import type { Host } from './host.ts';
import type { LambdaHandler } from './lambda.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { reportRepairs } from './report-repairs.ts';

/** The result of a sweep, for a person who invokes it by hand. */
export interface SweepSummary {
  readonly groups: number;
  readonly nodes: number;
  readonly sent: number;
  /** Launches that wait on our hook: each was sent to the queue of joining nodes. */
  readonly launching: number;
  /** Instances that were set Unhealthy, because their nodes have failed for too long. */
  readonly repaired: readonly string[];
  readonly findings: SweepReport['plan']['findings'];
}

/**
 * The sweep on a host.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composeSweep(host: Host): LambdaHandler<unknown, SweepSummary> {
  const { clusterName, leavingQueueUrl, leavingHookName, joiningQueueUrl, joiningHookName } = readConfig(
    host.environment,
    ['clusterName', 'leavingQueueUrl', 'leavingHookName', 'joiningQueueUrl', 'joiningHookName'],
  );
  const wakeZone = zoneWaker(host);
  const connection = awsConnection(host);
  const { clock } = host;
  const client = autoScalingClient(connection);
  const autoScaling = withFewerCalls(createAutoScaling({ client, clusterName }), clock);
  const cluster = composeCluster(host);
  const ec2 = createEc2(ec2Client(connection));
  const sqs = sqsClient(connection);
  const launches: LaunchSweepContext = {
    autoScaling,
    clock,
    send: createSqsQueue({ client: sqs, queueUrl: joiningQueueUrl }).send,
    clusterName,
    joiningHookName,
  };
  const context: SweepContext = {
    autoScaling,
    ec2,
    cluster,
    clock,
    send: createSqsQueue({ client: sqs, queueUrl: leavingQueueUrl }).send,
    clusterName,
    leavingHookName,
  };
  const repairs: RepairContext = {
    autoScaling,
    ec2,
    setUnhealthy: (instanceId) => setUnhealthy(client, instanceId),
    countReplacements: (name, since) => countHealthReplacements(client, name, since),
    cluster,
    clock,
    clusterName,
  };
  const log = createLog(host, { function: 'sweep' });
  const metrics = createMetrics(host, clusterName);
  return async () => {
    // Each part by itself: a cluster whose API server is away may be one whose etcd needs a pass, and whose launches need heartbeats.
    const [woken, launched, swept] = await Promise.allSettled([
      wakeZone(),
      sweepLaunches(launches),
      sweep(context),
    ]);
    const launching = launched.status === 'fulfilled' ? launched.value.sent : 0;
    if (swept.status === 'fulfilled') reportSweep({ ...swept.value, launching }, log, metrics);
    // It lists all Nodes too: two such lists at once would need too much memory in a very large cluster.
    const [repair] = await Promise.allSettled([repairNodes(repairs)]);
    if (repair.status === 'fulfilled') reportRepairs(repair.value, log, metrics);
    const failures = [
      ...(woken.status === 'rejected' ? [woken.reason] : []),
      ...(launched.status === 'rejected' ? [launched.reason] : launched.value.failures),
      ...(repair.status === 'rejected' ? [repair.reason] : repair.value.failures),
      ...(swept.status === 'rejected' ? [swept.reason] : swept.value.failures),
    ];
    if (swept.status === 'rejected' || failures.length > 0)
      throw new AggregateError(
        failures,
        `the sweep is not whole, and the next one tries again: ${failures.map(messageOf).join('; ')}`,
      );
    const { plan, groups, nodes } = swept.value;
    const repaired =
      repair.status === 'fulfilled' ? repair.value.repaired.map(({ instanceId }) => instanceId) : [];
    return { groups, nodes, sent: plan.send.length, launching, repaired, findings: plan.findings };
  };
}

/**
 * Wakes the passes over the etcd zone. They find lost events, and dead members, for which there is no event.
 *
 * @throws where the message could not be sent: the next sweep sends another.
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

/** A line for every finding and one for the whole. The alarm `sweep-missing` rings if no sweep is whole. */
function reportSweep(
  report: SweepReport & Pick<SweepSummary, 'launching'>,
  log: Log,
  metrics: Metrics,
): void {
  const { plan, groups, nodes, launching, overdueSeconds, quietSeconds, failures } = report;
  for (const { kind, subject, message } of plan.findings) log.warn(message, { finding: kind, subject });
  if (plan.withheld)
    log.warn(
      'so many nodes would be deleted that none is: look at what has happened to their instances',
      plan.withheld,
    );
  log.info('sweep', { groups, nodes, sent: plan.send.length, launching, findings: plan.findings.length });
  metrics.put({
    BoundExceeded: plan.withheld ? 1 : 0,
    DeadlineOverdueSeconds: overdueSeconds,
    PassAgeSeconds: quietSeconds,
    SweepRuns: failures.length === 0 ? 1 : 0,
  });
}
