import type { SQSBatchResponse } from 'aws-lambda';
import { sqsClient } from '../shared/aws/clients.ts';
import { createSqsQueue } from '../shared/aws/sqs.ts';
import type { LambdaHandler } from '../shared/base/lambda.ts';
import { createLog } from '../shared/base/log.ts';
import { createMetrics } from '../shared/base/metrics.ts';
import type { EtcdContext } from '../shared/etcd/context.ts';
import { readEtcdMessage } from '../shared/etcd/message.ts';
import { etcdPass } from '../shared/etcd/pass.ts';
import { done } from '../shared/passes/outcome.ts';
import { createQueueHandler } from '../shared/passes/queue/queue-handler.ts';
import { rejectWhenAborted } from '../shared/passes/time-is-up.ts';
import { awsConnection } from '../shared/runtime/aws-connection.ts';
import { readConfig } from '../shared/runtime/config.ts';
import { type ComposedContext, composeEtcdContext } from '../shared/runtime/etcd-context.ts';
import { composeHeartbeats } from '../shared/runtime/heartbeats.ts';
import type { FunctionHost } from '../shared/runtime/host.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/**
 * Passes over the zone of an etcd cluster: its records, its members and their hooks.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function create(host: FunctionHost): LambdaHandler<unknown, SQSBatchResponse> {
  const { clusterName, etcdQueueUrl, etcdDeadLetterQueueUrl } = readConfig(host.environment, [
    'clusterName',
    'etcdQueueUrl',
    'etcdDeadLetterQueueUrl',
  ]);
  const log = createLog(host, { function: 'etcd-membership' });
  const client = sqsClient(awsConnection(host));
  const queue = createSqsQueue({ client, queueUrl: etcdQueueUrl });
  const ensureHeartbeats = composeHeartbeats(host);
  const context = composeEtcdContext(host, (what, error) => log.error(what, error));
  return createQueueHandler({
    work: 'etcd-membership',
    host,
    log,
    metrics: createMetrics(host, clusterName),
    queue: { ...queue, park: createSqsQueue({ client, queueUrl: etcdDeadLetterQueueUrl }).send },
    read: readEtcdMessage,
    pass: async ({ id, notices }, signal) => {
      if (!context) return done('this deployment manages no etcd');
      if (id !== context.settings.naming.domain)
        return done(`${id} is not the domain of this deployment any more`);
      return await etcdPass({ ...stoppedWith(context, signal), ensureHeartbeats }, notices);
    },
  });
}

export const handler = onLambda(create);

/** The context of one pass: its signal stops every call before the invocation ends. */
export const stoppedWith = (context: ComposedContext, signal: AbortSignal): EtcdContext => ({
  ...context,
  autoScaling: rejectWhenAborted(signal, context.autoScaling),
  ec2: rejectWhenAborted(signal, context.ec2),
  zone: rejectWhenAborted(signal, context.zone),
  states: rejectWhenAborted(signal, context.states),
  cluster: context.clusterWith?.(signal),
});
