import { readAlarms } from '../aws/alarms.ts';
import {
  autoScalingClient,
  cloudWatchClient,
  ec2Client,
  schedulerClient,
  sqsClient,
  ssmClient,
} from '../aws/clients.ts';
import { createEc2 } from '../aws/ec2.ts';
import { createPlainParameters } from '../aws/parameters.ts';
import { countMessages } from '../aws/queue-counts.ts';
import { countHealthReplacements } from '../aws/repairs.ts';
import { readScheduledActions } from '../aws/scheduled-actions.ts';
import { scheduleReader } from '../aws/schedules.ts';
import type { Clock } from '../base/clock.ts';
import { lazily } from '../base/lazily.ts';
import type { HoldParameters } from '../capacity/holds/context.ts';
import { holdPathsOf, holdsByGroup, holdsIn, recordsIn } from '../capacity/holds/parameters.ts';
import type { SchedulesRead } from '../capacity/schedules/due-holds.ts';
import { readSchedule, scheduleGroupOf } from '../capacity/schedules/schedule.ts';
import type { Ec2 } from '../groups/ec2.ts';
import { deploymentBegin, raisedOf } from '../problems/alarm-problems.ts';
import type { HeldCapacity } from '../problems/capacity-problems.ts';
import { queueOfUrl } from '../problems/dead-letter-problems.ts';
import type { ObservedLaunches } from '../problems/node-problems.ts';
import type { ProblemSources } from '../scale-api/problem-sources.ts';
import type { StatusContext } from '../scale-api/scale-context.ts';
import { awsConnection } from './aws-connection.ts';
import { readConfig } from './config.ts';
import type { FunctionHost } from './host.ts';

interface CapacityReader {
  readonly parameters: Pick<HoldParameters, 'listBelow'>;
  readonly readSchedules: () => Promise<SchedulesRead>;
  readonly clusterName: string;
  readonly maxSizeLimit: number;
}

/** The holds, the records of floors and the schedules of a cluster. Rejects if a schedule cannot be read. */
export async function readHeldCapacity({
  parameters,
  readSchedules,
  clusterName,
  maxSizeLimit,
}: CapacityReader): Promise<HeldCapacity> {
  const paths = holdPathsOf(clusterName);
  const [holds, floors, schedules] = await Promise.all([
    parameters.listBelow(paths.holds),
    parameters.listBelow(paths.floors),
    readSchedules(),
  ]);
  for (const { error } of schedules.failures) throw error;
  return {
    holds: holdsByGroup(holdsIn(holds, paths), recordsIn(floors, paths)),
    schedules: schedules.records.map(readSchedule),
    maxSizeLimit,
  };
}

/** When these instances were launched, as EC2 says. */
export async function readLaunchTimes(
  ec2: Pick<Ec2, 'describeInstance'>,
  {
    instanceIds,
    joinTimeoutSeconds,
  }: Pick<ObservedLaunches, 'joinTimeoutSeconds'> & {
    readonly instanceIds: readonly string[];
  },
): Promise<ObservedLaunches> {
  const found = await Promise.all(instanceIds.map((id) => ec2.describeInstance(id)));
  const launchedAt = new Map(
    found.flatMap((one) =>
      one?.launchedAt === undefined ? [] : [[one.instanceId, one.launchedAt] as const],
    ),
  );
  return { joinTimeoutSeconds, launchedAt };
}

/**
 * The sources of a function that shows problems, with the rights of its role. The deployment names its alarms and queues in the environment:
 * without them they are not read.
 *
 * @throws ConfigError
 */
export function problemSourcesOf(
  host: FunctionHost,
  functionName: StatusContext['functionName'],
): ProblemSources {
  const { clusterName, maxSizeLimit, joinTimeoutSeconds, alarmPrefix, deadLetterQueueUrls } = readConfig(
    host.environment,
    ['clusterName', 'maxSizeLimit', 'joinTimeoutSeconds', 'alarmPrefix', 'deadLetterQueueUrls'],
  );
  const connection = awsConnection(host);
  const readSchedules = lazily(() => schedulesOf(host, clusterName));
  return {
    readAlarms:
      alarmPrefix === ''
        ? undefined
        : async () =>
            raisedOf(await readAlarms(cloudWatchClient(connection), alarmPrefix, host.clock), alarmPrefix),
    readDeadLetters:
      deadLetterQueueUrls.length === 0
        ? undefined
        : async () => {
            const sqs = sqsClient(connection);
            const stage = alarmPrefix.slice(deploymentBegin.length, -1);
            return await Promise.all(
              deadLetterQueueUrls.map(async (url) => ({
                ...queueOfUrl(url, stage),
                messages: await countMessages(sqs, url),
              })),
            );
          },
    readCapacity: () =>
      readHeldCapacity({
        parameters: createPlainParameters(ssmClient(connection)),
        readSchedules: readSchedules(),
        clusterName,
        maxSizeLimit,
      }),
    readScheduledActions:
      functionName === 'scale-api' ? () => readScheduledActions(autoScalingClient(connection)) : undefined,
    readLaunches: (instanceIds) =>
      readLaunchTimes(createEc2(ec2Client(connection)), { instanceIds, joinTimeoutSeconds }),
    countReplacements: (autoScalingGroupName, since) =>
      countHealthReplacements(autoScalingClient(connection), autoScalingGroupName, since),
  };
}

const schedulesOf = (
  host: FunctionHost & { readonly clock: Clock },
  clusterName: string,
): (() => Promise<SchedulesRead>) =>
  scheduleReader({
    client: schedulerClient(awsConnection(host)),
    groupName: scheduleGroupOf(clusterName),
    clock: host.clock,
  });
