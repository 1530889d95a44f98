import { sqsClient } from '../aws/clients.ts';
import { createSqsQueue } from '../aws/sqs.ts';
import { createEnsureHeartbeats, type EnsureHeartbeats } from '../heartbeats/request.ts';
import { awsConnection } from './aws-connection.ts';
import { readConfig } from './config.ts';
import type { Host } from './host.ts';

/**
 * How the passes of a function request the heartbeats of a wait.
 *
 * @throws ConfigError if the environment does not name the queue.
 */
export function composeHeartbeats(host: Host): EnsureHeartbeats {
  const { heartbeatsQueueUrl: queueUrl } = readConfig(host.environment, ['heartbeatsQueueUrl']);
  const { send } = createSqsQueue({ client: sqsClient(awsConnection(host)), queueUrl });
  return createEnsureHeartbeats({ send, clock: host.clock });
}
