import { sqsClient } from '../aws/clients.ts';
import { createSqsQueue } from '../aws/sqs.ts';
import type { Log } from '../base/log.ts';
import { askedMessage } from '../roll/message.ts';
import type { RollRequests } from '../scale-api/scale-context.ts';
import { awsConnection } from './aws-connection.ts';
import { readConfig } from './config.ts';
import type { Host } from './host.ts';

/**
 * How the scale API reaches the function roll, on a host.
 *
 * @throws ConfigError
 */
export function rollRequests(host: Host, log: Log): RollRequests {
  const { wokenRollQueueUrl: queueUrl } = readConfig(host.environment, ['wokenRollQueueUrl']);
  const connection = awsConnection(host);
  return {
    wake:
      queueUrl === ''
        ? undefined
        : async () => {
            const { send } = createSqsQueue({ client: sqsClient(connection), queueUrl });
            const [failure] = await send([askedMessage(host.clock.now())]);
            if (failure) log.error('roll could not be woken, and looks within a minute', failure.error);
          },
  };
}
