import type { SQSBatchResponse } from 'aws-lambda';
import { createAutoScaling } from '../shared/aws/auto-scaling.ts';
import { withFewerCalls } from '../shared/aws/cached.ts';
import { autoScalingClient, sqsClient } from '../shared/aws/clients.ts';
import { createManagedGroups } from '../shared/aws/managed-groups.ts';
import { createSqsQueue } from '../shared/aws/sqs.ts';
import type { LambdaHandler } from '../shared/base/lambda.ts';
import { createLog } from '../shared/base/log.ts';
import { createMetrics } from '../shared/base/metrics.ts';
import { createRequestHeartbeats } from '../shared/heartbeats/request.ts';
import { createHurryLimit } from '../shared/intake/hurry-limit.ts';
import { createInboxHandler } from '../shared/intake/inbox-handler.ts';
import { takeIn } from '../shared/intake/intake.ts';
import type { EtcdIntake } from '../shared/intake/wake-ups.ts';
import { rejectWhenAborted } from '../shared/passes/time-is-up.ts';
import { awsConnection } from '../shared/runtime/aws-connection.ts';
import { type Config, readConfig } from '../shared/runtime/config.ts';
import type { FunctionHost, Host } from '../shared/runtime/host.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** The account of a queue: `https://HOST/ACCOUNT/NAME`. */
const accountOf = (queueUrl: string): string => new URL(queueUrl).pathname.split('/').at(-2) ?? '';

/**
 * Reads the events in the inbox and sends each reason of each managed instance once to the queue of its passes.
 *
 * @throws ConfigError with every error in the environment.
 */
export function create(host: FunctionHost): LambdaHandler<unknown, SQSBatchResponse> {
  const config = readConfig(host.environment, [
    'clusterName',
    'region',
    'inboxQueueUrl',
    'inboxDeadLetterQueueUrl',
    'leavingQueueUrl',
    'leavingHookName',
    'heartbeatsQueueUrl',
    'joiningQueueUrl',
    'joiningHookName',
    'etcdQueueUrl',
    'etcdDomain',
    'etcdHookName',
    'etcdLaunchHookName',
    'maxHurriedPerMinute',
  ]);
  const connection = awsConnection(host);
  const log = createLog(host, { function: 'intake' });
  const { clock } = host;
  const { clusterName, leavingHookName, joiningHookName, region } = config;
  const autoScaling = withFewerCalls(
    createAutoScaling({ client: autoScalingClient(connection), clusterName }),
    clock,
  );
  const groups = createManagedGroups({ autoScaling, clock, clusterName });
  const client = sqsClient(connection);
  const { send } = createSqsQueue({ client, queueUrl: config.leavingQueueUrl });
  const requestHeartbeats = createRequestHeartbeats({
    send: createSqsQueue({ client, queueUrl: config.heartbeatsQueueUrl }).send,
    clock,
    describeHooks: (name) => autoScaling.describeHooks(name),
    reportError: (message, error) => log.error(message, error),
  });
  const joining = createSqsQueue({ client, queueUrl: config.joiningQueueUrl });
  const { changeVisibility } = createSqsQueue({ client, queueUrl: config.inboxQueueUrl });
  const { send: park } = createSqsQueue({ client, queueUrl: config.inboxDeadLetterQueueUrl });
  const { etcd } = etcdIntake(host, config);
  const hurryLimit = createHurryLimit({ clock, perMinute: config.maxHurriedPerMinute });
  return createInboxHandler({
    host,
    log,
    metrics: createMetrics(host, clusterName),
    queue: { changeVisibility, park },
    takeIn: (arrivals, signal) =>
      takeIn(arrivals, {
        place: { accountId: accountOf(config.inboxQueueUrl), region },
        clock,
        leavingHookName,
        hurryLimit,
        ...rejectWhenAborted(signal, { send, requestHeartbeats }),
        groups: rejectWhenAborted(signal, groups),
        joining: { joiningHookName, ...rejectWhenAborted(signal, { send: joining.send }) },
        ...(etcd && { etcd: { ...etcd, ...rejectWhenAborted(signal, { send: etcd.send }) } }),
      }),
  });
}

export const handler = onLambda(create);

/** The queue of etcd zones, if this deployment manages one. */
function etcdIntake(
  host: Host,
  config: Pick<Config, 'etcdDomain' | 'etcdQueueUrl' | 'etcdHookName' | 'etcdLaunchHookName'>,
): { readonly etcd?: EtcdIntake } {
  const { etcdDomain: domain, etcdQueueUrl: queueUrl, etcdHookName, etcdLaunchHookName } = config;
  if (!domain) return {};
  const { send } = createSqsQueue({ client: sqsClient(awsConnection(host)), queueUrl });
  return { etcd: { domain, etcdHookName, etcdLaunchHookName, send } };
}
