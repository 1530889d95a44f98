import type { SQSBatchResponse } from 'aws-lambda';
import { readNamedAlarms } from '../shared/aws/alarms.ts';
import { createAutoScaling } from '../shared/aws/auto-scaling.ts';
import {
  autoScalingClient,
  cloudWatchClient,
  ec2Client,
  sqsClient,
  ssmClient,
} from '../shared/aws/clients.ts';
import { createPlainParameters } from '../shared/aws/parameters.ts';
import { createPlanLaunches } from '../shared/aws/plan-launches.ts';
import { setHealthy, setUnhealthy } from '../shared/aws/repairs.ts';
import { createRollLaunches } from '../shared/aws/roll-launches.ts';
import { createSqsQueue } from '../shared/aws/sqs.ts';
import type { LambdaHandler } from '../shared/base/lambda.ts';
import { createLog, type Log } from '../shared/base/log.ts';
import { createMetrics } from '../shared/base/metrics.ts';
import { listAllBudgets } from '../shared/kubernetes/all-budgets.ts';
import { createPlanCluster } from '../shared/kubernetes/plan-cluster.ts';
import { createQueueHandler } from '../shared/passes/queue/queue-handler.ts';
import { rejectWhenAborted } from '../shared/passes/time-is-up.ts';
import type { RollContext } from '../shared/roll/context.ts';
import { readRollMessage } from '../shared/roll/message.ts';
import { rollsPass } from '../shared/roll/pass.ts';
import { readCluster, readLaunchedTypes } from '../shared/roll/read-cluster.ts';
import { type RollScan, scanRolls } from '../shared/roll/scan-rolls.ts';
import { awsConnection } from '../shared/runtime/aws-connection.ts';
import { clusterConnections, composeCluster } from '../shared/runtime/cluster.ts';
import { readConfig } from '../shared/runtime/config.ts';
import type { FunctionHost } from '../shared/runtime/host.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';
import { composeNotifications } from '../shared/runtime/notifier.ts';

/**
 * Replaces the old instances of groups: a scan for rolls every minute, and passes that take a step of each.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function create(host: FunctionHost): LambdaHandler<unknown, SQSBatchResponse | RollScan> {
  const { clusterName, rollQueueUrl, rollDeadLetterQueueUrl } = readConfig(host.environment, [
    'clusterName',
    'rollQueueUrl',
    'rollDeadLetterQueueUrl',
  ]);
  const log = createLog(host, { function: 'roll' });
  const metrics = createMetrics(host, clusterName);
  const client = sqsClient(awsConnection(host));
  const queue = createSqsQueue({ client, queueUrl: rollQueueUrl });
  const context = rollContext(host, log);
  const passes = createQueueHandler({
    work: 'roll',
    host,
    log,
    metrics,
    queue: { ...queue, park: createSqsQueue({ client, queueUrl: rollDeadLetterQueueUrl }).send },
    read: readRollMessage,
    // The messages of later scans are absorbed by the one that a pass keeps.
    pass: (_subject, signal) => rollsPass(whileInTime(context, signal)),
  });
  return async (event, invocation) => {
    if (isBatch(event)) return await passes(event, invocation);
    const scan = await scanRolls({ ...context, send: queue.send, clusterName });
    for (const problem of scan.problems) log.warn(`a roll is not understood: ${problem}`);
    log.info('look', { rolls: scan.rolls.length, sent: scan.sent });
    return scan;
  };
}

export const handler = onLambda(create);

const isBatch = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && 'Records' in event;

/** The context of one pass. It makes no calls after the invocation's time is up. */
const whileInTime = (context: RollContext, signal: AbortSignal): RollContext => {
  const calls = rejectWhenAborted(signal, {
    setUnhealthy: context.setUnhealthy,
    setHealthy: context.setHealthy,
    readAlarms: context.readAlarms,
    readCluster: context.readCluster,
  });
  return {
    ...context,
    ...calls,
    parameters: rejectWhenAborted(signal, context.parameters),
    autoScaling: rejectWhenAborted(signal, context.autoScaling),
    launches: rejectWhenAborted(signal, context.launches),
    cluster: rejectWhenAborted(signal, context.cluster),
  };
};

function rollContext(host: FunctionHost, log: Log): RollContext {
  const settings = readConfig(host.environment, [
    'clusterName',
    'joinTimeoutSeconds',
    'leavingHookName',
    'etcdHookName',
  ]);
  const { clusterName } = settings;
  const connection = awsConnection(host);
  const autoScaling = autoScalingClient(connection);
  const cloudWatch = cloudWatchClient(connection);
  const connections = clusterConnections(host);
  const api = { connections, sendHttp: host.sendHttp };
  const planCluster = createPlanCluster(api);
  const planLaunches = createPlanLaunches(connection);
  return {
    parameters: createPlainParameters(ssmClient(connection)),
    autoScaling: createAutoScaling({ client: autoScaling, clusterName }),
    // A roll has chosen the instance for its age: within a grace period of hours it would stay marked, and nothing would happen.
    setUnhealthy: (instanceId) => setUnhealthy(autoScaling, instanceId, { respectsGracePeriod: false }),
    setHealthy: (instanceId) => setHealthy(autoScaling, instanceId),
    launches: createRollLaunches({ ec2: ec2Client(connection), autoScaling }),
    readAlarms: (names) => readNamedAlarms(cloudWatch, names),
    cluster: { ...composeCluster(host, connections), listPods: () => planCluster.listPods((pod) => pod) },
    readCluster: (groups, replaced) =>
      readCluster(groups, {
        cluster: planCluster,
        listBudgets: async () => ({ status: 'read', items: await listAllBudgets(api) }),
        clusterName,
        readTypes: () => readLaunchedTypes(planLaunches, replaced),
      }),
    notify: composeNotifications(host, log),
    clock: host.clock,
    settings,
  };
}
