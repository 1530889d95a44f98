import type { SQSBatchResponse } from 'aws-lambda';
import { countAbandonedLaunches } from '../shared/aws/activities.ts';
import { createAutoScaling } from '../shared/aws/auto-scaling.ts';
import { cached, withFewerCallsWhileWaiting } from '../shared/aws/cached.ts';
import { autoScalingClient, ec2Client, sqsClient } from '../shared/aws/clients.ts';
import { createEc2, readConsoleOutput } from '../shared/aws/ec2.ts';
import { createSqsQueue } from '../shared/aws/sqs.ts';
import type { LambdaHandler } from '../shared/base/lambda.ts';
import { createLog, type Log } from '../shared/base/log.ts';
import { createMetrics } from '../shared/base/metrics.ts';
import { redactText } from '../shared/base/redact.ts';
import { decidersByInvocation, type RequestDecider } from '../shared/certificates/decider.ts';
import { isPendingWait } from '../shared/groups/lifecycle-state.ts';
import type { JoiningContext } from '../shared/joining/context.ts';
import { consoleOutputOf } from '../shared/joining/diagnosis.ts';
import { readJoiningMessage } from '../shared/joining/message.ts';
import { joiningPass } from '../shared/joining/pass.ts';
import type { ConnectionSource } from '../shared/kubernetes/connection.ts';
import type { DrainCluster } from '../shared/nodes/cluster.ts';
import type { Notify } from '../shared/notifications/notification.ts';
import { createQueueHandler } from '../shared/passes/queue/queue-handler.ts';
import { begin, rejectWhenAborted } from '../shared/passes/time-is-up.ts';
import { awsConnection, tryingOnce } from '../shared/runtime/aws-connection.ts';
import { composeCertificates } from '../shared/runtime/certificates.ts';
import { clusterConnections, composeCluster } from '../shared/runtime/cluster.ts';
import { readConfig } from '../shared/runtime/config.ts';
import { composeHeartbeats } from '../shared/runtime/heartbeats.ts';
import type { FunctionHost } from '../shared/runtime/host.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';
import { composeNotifications } from '../shared/runtime/notifier.ts';

/**
 * Runs the passes over launching instances: decides their certificate requests and completes their hooks when their Nodes are Ready.
 *
 * @throws ConfigError with every error in the environment.
 */
export function create(host: FunctionHost): LambdaHandler<unknown, SQSBatchResponse> {
  const { clusterName, joiningQueueUrl, joiningDeadLetterQueueUrl } = readConfig(host.environment, [
    'clusterName',
    'joiningQueueUrl',
    'joiningDeadLetterQueueUrl',
  ]);
  const log = createLog(host, { function: 'node-joining' });
  const client = sqsClient(awsConnection(host));
  const notify = composeNotifications(host, log);
  const connections = clusterConnections(host);
  const context = { ...joiningContext(host, log, composeCluster(host, connections)), notify };
  const requests = requestDeciders(host, notify);
  return createQueueHandler({
    work: 'node-joining',
    host,
    log,
    metrics: createMetrics(host, clusterName),
    queue: {
      ...createSqsQueue({ client, queueUrl: joiningQueueUrl }),
      park: createSqsQueue({ client, queueUrl: joiningDeadLetterQueueUrl }).send,
    },
    read: readJoiningMessage,
    pass: ({ id, notices }, signal) => {
      // Every pass needs them, and a new environment reads them from AWS: beside the first reads of the pass.
      for (const source of [connections, ...requests.connections]) void begin(() => source.connect());
      return joiningPass(
        { ...whileInTime(context, signal), requests: requests.decider(signal) },
        { instanceId: id, notices },
      );
    },
  });
}

export const handler = onLambda(create);

type SharedContext = Omit<JoiningContext, 'requests'>;

/** The context of one pass: its clients refuse every call after the time of the invocation. */
const whileInTime = (context: SharedContext, signal: AbortSignal): SharedContext => ({
  ...context,
  autoScaling: rejectWhenAborted(signal, context.autoScaling),
  ec2: rejectWhenAborted(signal, context.ec2),
  cluster: rejectWhenAborted(signal, context.cluster),
  ...rejectWhenAborted(signal, {
    readConsole: context.readConsole,
    countAbandonedLaunches: context.countAbandonedLaunches,
  }),
});

/** Instances that were launched together become overdue together, so their passes share the activities of their group. */
const activitiesSeconds = 5;

/** Passes that look for a Node with an unusual name share the list of all nodes. */
const nodesSeconds = 20;

function joiningContext(host: FunctionHost, log: Log, cluster: DrainCluster): Omit<SharedContext, 'notify'> {
  const { joinTimeoutSeconds, ...names } = readConfig(host.environment, [
    'clusterName',
    'joiningHookName',
    'joinTimeoutSeconds',
  ]);
  const { clock } = host;
  const connection = awsConnection(host);
  const listNodes = cached({ clock, seconds: nodesSeconds, read: () => cluster.listNodes() });
  const client = autoScalingClient(connection);
  const ec2 = ec2Client(connection);
  return {
    autoScaling: withFewerCallsWhileWaiting(
      createAutoScaling({
        client,
        completing: autoScalingClient(tryingOnce(host)),
        clusterName: names.clusterName,
      }),
      {
        clock,
        waits: isPendingWait,
      },
    ),
    ec2: createEc2(ec2),
    readConsole: async (instanceId) => consoleOutputOf(await readConsoleOutput(ec2, instanceId), redactText),
    countAbandonedLaunches: cached({
      clock,
      seconds: activitiesSeconds,
      read: (name: string) => countAbandonedLaunches(client, name),
    }),
    reportWhy: (why) => log.warn('an instance has not joined by its deadline', { ...why }),
    reportedWhyAt: new Map(),
    cluster: { ...cluster, listNodes: () => listNodes('all') },
    clock,
    ensureHeartbeats: composeHeartbeats(host),
    reportError: (message, error) => log.error(message, error),
    settings: { ...names, defaults: { joinTimeoutSeconds, onJoinFailure: 'hold' } },
  };
}

interface RequestDeciders {
  /** Undefined if Drover does not decide requests. */
  readonly decider: (signal: AbortSignal) => RequestDecider | undefined;
  readonly connections: readonly ConnectionSource[];
}

/** Decides requests with the identity that may approve them. */
function requestDeciders(host: FunctionHost, notify: Notify): RequestDeciders {
  const { certificates } = readConfig(host.environment, ['certificates']);
  if (certificates === 'off') return { decider: () => undefined, connections: [] };
  const { certificatesKubeconfigParameter: kubeconfigParameter } = readConfig(host.environment, [
    'certificatesKubeconfigParameter',
  ]);
  const connections = clusterConnections(host, { kubeconfigParameter });
  const decider = decidersByInvocation({ ...composeCertificates(host, connections), notify });
  return { decider, connections: [connections] };
}
