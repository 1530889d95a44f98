import { readHistory } from '../aws/activities.ts';
import { readNamedAlarms } from '../aws/alarms.ts';
import { autoScalingClient, cloudWatchClient, ec2Client, sqsClient, ssmClient } from '../aws/clients.ts';
import { translated } from '../aws/groups.ts';
import { createPlainParameters } from '../aws/parameters.ts';
import { withWarmPools } from '../aws/pooled-groups.ts';
import { createRollLaunches } from '../aws/roll-launches.ts';
import { createSqsQueue } from '../aws/sqs.ts';
import type { Log } from '../base/log.ts';
import { askedMessage } from '../roll/message.ts';
import type { RollRequests } from '../scale-api/scale-context.ts';
import { awsConnection } from './aws-connection.ts';
import type { Host } from './host.ts';

/**
 * What the scale API reads for a roll, and how it reaches the function roll, on a host. The reads reject with a GroupsError.
 *
 * @param queueUrl empty if the deployment has no function roll
 */
export function rollRequests(
  host: Host,
  { queueUrl, log }: { readonly queueUrl: string; readonly log: Log },
): RollRequests {
  const connection = awsConnection(host);
  const autoScaling = autoScalingClient(connection);
  const launches = createRollLaunches({ ec2: ec2Client(connection), autoScaling });
  return {
    parameters: createPlainParameters(ssmClient(connection)),
    launches: {
      readTargets: (groups) => translated(() => launches.readTargets(groups), 'EC2'),
      readInstances: (ids) => translated(() => launches.readInstances(ids), 'EC2'),
      findActiveRefresh: (name) => translated(() => launches.findActiveRefresh(name)),
      readTerminating: (...input) => translated(() => launches.readTerminating(...input)),
      readFailedLaunches: (name, since) => translated(() => launches.readFailedLaunches(name, since)),
    },
    withWarmPools: (groups) => withWarmPools(groups, { client: autoScaling }),
    readHistory: (name) => translated(() => readHistory(autoScaling, name)),
    readAlarms: async (names) =>
      names.length === 0
        ? { inAlarm: [], unknown: [] }
        : await translated(() => readNamedAlarms(cloudWatchClient(connection), names), 'CloudWatch'),
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
