import type { SQSBatchResponse } from 'aws-lambda';
import { createAutoScaling } from '../shared/aws/auto-scaling.ts';
import { cached, withFewerCallsWhileWaiting } from '../shared/aws/cached.ts';
import { autoScalingClient, ec2Client, loadBalancingClient, sqsClient } from '../shared/aws/clients.ts';
import { createEc2 } from '../shared/aws/ec2.ts';
import { createSqsQueue } from '../shared/aws/sqs.ts';
import { createTargetHealth } from '../shared/aws/target-health.ts';
import type { Clock } from '../shared/base/clock.ts';
import type { LambdaHandler } from '../shared/base/lambda.ts';
import { createLog, type Log } from '../shared/base/log.ts';
import { createMetrics } from '../shared/base/metrics.ts';
import { createOneAtATime, type OneAtATime } from '../shared/draining/evict-pods.ts';
import { automatedDefaults } from '../shared/draining/pod-filters.ts';
import { givingBackPass } from '../shared/giving-back/pass.ts';
import { isTerminatingWait } from '../shared/groups/lifecycle-state.ts';
import type { LeavingContext } from '../shared/leaving/context.ts';
import { createLeavingMemory } from '../shared/leaving/memory.ts';
import { leavingPass } from '../shared/leaving/pass.ts';
import type { DaemonSetLookup, DrainCluster } from '../shared/nodes/cluster.ts';
import { type GivingBackNotice, readGivingBack } from '../shared/passes/group-messages.ts';
import { leavingFormats, leavingMessage } from '../shared/passes/leaving-message.ts';
import type { LeavingNotice } from '../shared/passes/leaving-notice.ts';
import { readMessage } from '../shared/passes/message-format.ts';
import { createQueueHandler } from '../shared/passes/queue/queue-handler.ts';
import { begin, rejectWhenAborted } from '../shared/passes/time-is-up.ts';
import { awsConnection, tryingOnce } from '../shared/runtime/aws-connection.ts';
import { clusterConnections, composeCluster } from '../shared/runtime/cluster.ts';
import { readConfig } from '../shared/runtime/config.ts';
import { composeHeartbeats } from '../shared/runtime/heartbeats.ts';
import type { FunctionHost } from '../shared/runtime/host.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';
import { composeNotifications } from '../shared/runtime/notifier.ts';

/**
 * Runs passes over leaving instances, which drain their Nodes and complete their hooks, and over groups that give back empty nodes.
 *
 * @throws ConfigError with all errors of the environment.
 */
export function create(host: FunctionHost): LambdaHandler<unknown, SQSBatchResponse> {
  const { clusterName, leavingQueueUrl, leavingDeadLetterQueueUrl } = readConfig(host.environment, [
    'clusterName',
    'leavingQueueUrl',
    'leavingDeadLetterQueueUrl',
  ]);
  const log = createLog(host, { function: 'node-leaving' });
  const client = sqsClient(awsConnection(host));
  const queue = createSqsQueue({ client, queueUrl: leavingQueueUrl });
  const connections = clusterConnections(host);
  const context: SharedContext = {
    ...leavingContext(host, log),
    cluster: withFewerReads(composeCluster(host, connections), host.clock),
    sendNotice: async (notice) => {
      const [failure] = await queue.send([leavingMessage(notice, new Date(host.clock.now()).toISOString())]);
      if (failure) throw failure.error;
    },
  };
  // One for each invocation, identified by its signal: a pass never waits for a task that an earlier invocation left behind.
  const queues = new WeakMap<AbortSignal, OneAtATime>();
  const oneAtATimeIn = (signal: AbortSignal): OneAtATime => {
    const known = queues.get(signal) ?? createOneAtATime();
    queues.set(signal, known);
    return known;
  };
  return createQueueHandler({
    work: 'node-leaving',
    host,
    log,
    metrics: createMetrics(host, clusterName),
    queue: { ...queue, park: createSqsQueue({ client, queueUrl: leavingDeadLetterQueueUrl }).send },
    read: (body) =>
      readMessage<LeavingNotice | GivingBackNotice>(body, { ...leavingFormats, 2: readGivingBack }),
    pass: ({ id, notices, redelivered, receiveCount }, signal) => {
      // Every pass needs it, and a new environment reads it from AWS: beside the first reads of the pass.
      void begin(() => connections.connect());
      const inTime = whileInTime(context, signal);
      const groups = notices.filter(isGivingBack);
      if (groups.length > 0) return givingBackPass({ ...inTime, clock: host.clock }, groups);
      return leavingPass(
        { ...inTime, oneAtATime: oneAtATimeIn(signal) },
        {
          instanceId: id,
          notices: notices.filter((notice) => !isGivingBack(notice)),
          redelivered,
          receiveCount,
        },
      );
    },
  });
}

export const handler = onLambda(create);

const isGivingBack = (notice: LeavingNotice | GivingBackNotice): notice is GivingBackNotice =>
  notice.cause === 'give-back' || notice.cause === 'put-back';

type SharedContext = Omit<LeavingContext, 'oneAtATime' | 'events'>;

/** The context of one pass. Its clients reject every call once the time of the invocation is up. */
const whileInTime = (context: SharedContext, signal: AbortSignal): SharedContext => ({
  ...context,
  autoScaling: rejectWhenAborted(signal, context.autoScaling),
  ec2: rejectWhenAborted(signal, context.ec2),
  targetHealth: rejectWhenAborted(signal, context.targetHealth),
  cluster: rejectWhenAborted(signal, context.cluster),
});

function leavingContext(host: FunctionHost, log: Log): Omit<SharedContext, 'sendNotice' | 'cluster'> {
  const config = readConfig(host.environment, [
    'clusterName',
    'leavingHookName',
    'etcdHookName',
    'drainTimeoutSeconds',
    'onFailure',
    'maxLeavingPerGroup',
    'maxLeavingPerCluster',
    'drainOnRebalance',
    'annotationTimeoutSeconds',
    'notifyHeldAfterSeconds',
  ]);
  const { clock } = host;
  const connection = awsConnection(host);
  const { clusterName, leavingHookName, etcdHookName, maxLeavingPerCluster, notifyHeldAfterSeconds } = config;
  const { ignoreDaemonSets, deleteEmptyDirData, force } = automatedDefaults;
  return {
    autoScaling: withFewerCallsWhileWaiting(
      createAutoScaling({
        client: autoScalingClient(connection),
        completing: autoScalingClient(tryingOnce(host)),
        clusterName,
      }),
      { clock, waits: isTerminatingWait },
    ),
    ec2: createEc2(ec2Client(connection)),
    targetHealth: createTargetHealth(loadBalancingClient(connection)),
    clock,
    memory: createLeavingMemory(clock),
    ensureHeartbeats: composeHeartbeats(host),
    reportError: (message, error) => log.error(message, error),
    notify: composeNotifications(host, log),
    settings: {
      clusterName,
      leavingHookName,
      etcdHookName,
      maxLeavingPerCluster,
      notifyHeldAfterSeconds,
      defaults: {
        drainTimeoutSeconds: config.drainTimeoutSeconds,
        onFailure: config.onFailure,
        ignoreDaemonSets,
        deleteEmptyDirData,
        force,
        maxLeaving: config.maxLeavingPerGroup,
        drainOnRebalance: config.drainOnRebalance,
        awaitReplacement: false,
        annotationTimeoutSeconds: config.annotationTimeoutSeconds,
      },
    },
  };
}

/** Reads DaemonSets and marked Nodes once for many passes: every node has the same DaemonSets, and every pass lists the marked Nodes. */
function withFewerReads(cluster: DrainCluster, clock: Clock): DrainCluster {
  const lookUp = cached({
    clock,
    seconds: 60,
    read: async (key: string): Promise<DaemonSetLookup> => {
      const [namespace = '', name = ''] = key.split('/');
      return await cluster.lookUpDaemonSet(namespace, name);
    },
    keeps: (answer) => typeof answer === 'string',
  });
  const listOnce = (notBefore?: number) =>
    cached({
      clock,
      seconds: 5,
      read: (selector: string) => cluster.listNodeMetadata(selector, notBefore),
    });
  const fromWatchCache = listOnce();
  const consistent = listOnce(0);
  return {
    ...cluster,
    lookUpDaemonSet: (namespace, name) => lookUp(`${namespace}/${name}`),
    listNodeMetadata: (selector, notBefore) =>
      notBefore === undefined ? fromWatchCache(selector) : consistent(selector, notBefore),
  };
}
