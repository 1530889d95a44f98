import type { SQSBatchResponse } from 'aws-lambda';
import { createAutoScaling } from '../aws/auto-scaling.ts';
import { autoScalingClient, sqsClient } from '../aws/clients.ts';
import { withFewerCalls } from '../aws/fewer-calls.ts';
import { createManagedGroups } from '../aws/managed-groups.ts';
import { createSqsQueue } from '../aws/sqs.ts';
import { createHurryLimit } from '../lifecycle/intake/hurry-limit.ts';
import { takeIn } from '../lifecycle/intake/intake.ts';
import type { EtcdIntake } from '../lifecycle/intake/wake-etcd.ts';
import { rejectWhenAborted } from '../lifecycle/reject-when-aborted.ts';
import { awsConnection } from './aws-connection.ts';
import { type Config, readConfig } from './config.ts';
import type { Host } from './host.ts';
import type { LambdaHandler } from './lambda.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createInboxHandler } from './queue/inbox-handler.ts';

/** The maximumConcurrency of the mapping of the inbox. Each environment lets its part of the hurried leaves begin. */
export const mostEnvironments = 5;

/** The account of a queue: `https://HOST/ACCOUNT/NAME`. */
const accountOf = (queueUrl: string): string => new URL(queueUrl).pathname.split('/').at(-2) ?? '';

/**
 * Intake on a host.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function composeIntake(host: Host): LambdaHandler<unknown, SQSBatchResponse> {
  const config = readConfig(host.environment, [
    'clusterName',
    'region',
    'inboxQueueUrl',
    'inboxDeadLetterQueueUrl',
    'leavingQueueUrl',
    'leavingHookName',
    'joiningQueueUrl',
    'joiningHookName',
    'etcdQueueUrl',
    'etcdDomain',
    'etcdHookName',
    'etcdLaunchHookName',
    'maxHurriedPerMinute',
  ]);
  const connection = awsConnection(host);
  const { clock } = host;
  const { clusterName, leavingHookName, joiningHookName, region } = config;
  const autoScaling = withFewerCalls(
    createAutoScaling({ client: autoScalingClient(connection), clusterName }),
    clock,
  );
  const groups = createManagedGroups({ autoScaling, clock, clusterName });
  const client = sqsClient(connection);
  const { send } = createSqsQueue({ client, queueUrl: config.leavingQueueUrl });
  const joining = createSqsQueue({ client, queueUrl: config.joiningQueueUrl });
  const { changeVisibility } = createSqsQueue({ client, queueUrl: config.inboxQueueUrl });
  const { send: park } = createSqsQueue({ client, queueUrl: config.inboxDeadLetterQueueUrl });
  const { etcd } = etcdIntake(host, config);
  const perMinute = Math.max(1, Math.floor(config.maxHurriedPerMinute / mostEnvironments));
  const hurryLimit = createHurryLimit({ clock, perMinute });
  return createInboxHandler({
    host,
    log: createLog(host, { function: 'intake' }),
    metrics: createMetrics(host, clusterName),
    queue: { changeVisibility, park },
    takeIn: (arrivals, signal) =>
      takeIn(arrivals, {
        place: { accountId: accountOf(config.inboxQueueUrl), region },
        clock,
        leavingHookName,
        hurryLimit,
        ...rejectWhenAborted(signal, { send }),
        groups: rejectWhenAborted(signal, groups),
        joining: { joiningHookName, ...rejectWhenAborted(signal, { send: joining.send }) },
        ...(etcd && { etcd: { ...etcd, ...rejectWhenAborted(signal, { send: etcd.send }) } }),
      }),
  });
}

/** The queue of etcd zones, where this deployment looks after one. */
function etcdIntake(
  host: Host,
  config: Pick<Config, 'etcdDomain' | 'etcdQueueUrl' | 'etcdHookName' | 'etcdLaunchHookName'>,
): { readonly etcd?: EtcdIntake } {
  const { etcdDomain: domain, etcdQueueUrl: queueUrl, etcdHookName, etcdLaunchHookName } = config;
  if (!domain) return {};
  const { send } = createSqsQueue({ client: sqsClient(awsConnection(host)), queueUrl });
  return { etcd: { domain, etcdHookName, etcdLaunchHookName, send } };
}
