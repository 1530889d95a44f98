import type { SQSBatchResponse } from 'aws-lambda';
import { createAutoScaling } from '../shared/aws/auto-scaling.ts';
import { withFewerCalls } from '../shared/aws/cached.ts';
import { autoScalingClient, ec2Client, sqsClient } from '../shared/aws/clients.ts';
import { createEc2 } from '../shared/aws/ec2.ts';
import { createSqsQueue } from '../shared/aws/sqs.ts';
import type { TimerClock } from '../shared/base/clock.ts';
import type { LambdaHandler } from '../shared/base/lambda.ts';
import { createLog } from '../shared/base/log.ts';
import { createMetrics } from '../shared/base/metrics.ts';
import { withinTime } from '../shared/base/within-time.ts';
import { createHeartbeatMemory, type HeartbeatContext } from '../shared/heartbeats/context.ts';
import { heartbeatMessage, readHeartbeatMessage } from '../shared/heartbeats/message.ts';
import { createPace } from '../shared/heartbeats/pace.ts';
import { heartbeatPass } from '../shared/heartbeats/pass.ts';
import { createQueueHandler } from '../shared/passes/queue/queue-handler.ts';
import { chance } from '../shared/passes/queue.ts';
import { rejectWhenAborted } from '../shared/passes/time-is-up.ts';
import { awsConnection, tryingOnce } from '../shared/runtime/aws-connection.ts';
import { readConfig } from '../shared/runtime/config.ts';
import type { FunctionHost } from '../shared/runtime/host.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** A third of the longest heartbeat timeout that AWS allows, up to the interval of the passes that renew marks. */
const longestWaitSeconds = 900;

/**
 * Sends the heartbeats of every wait on a hook of Drover, and does nothing else, so that no heartbeat waits for a slow API server or for
 * the passes.
 *
 * @throws ConfigError with every error in the environment.
 */
export function create(host: FunctionHost): LambdaHandler<unknown, SQSBatchResponse> {
  const { clusterName, heartbeatsQueueUrl, heartbeatsDeadLetterQueueUrl } = readConfig(host.environment, [
    'clusterName',
    'heartbeatsQueueUrl',
    'heartbeatsDeadLetterQueueUrl',
  ]);
  const log = createLog(host, { function: 'heartbeats' });
  const client = sqsClient(awsConnection(host));
  const once = tryingOnce(host);
  const { clock } = host;
  const queue = createSqsQueue({ client, queueUrl: heartbeatsQueueUrl });
  const context: HeartbeatContext = {
    ...withTimeLimits(clock, {
      autoScaling: withFewerCalls(createAutoScaling({ client: autoScalingClient(once), clusterName }), clock),
      ec2: createEc2(ec2Client(once)),
    }),
    clock,
    chance: () => chance(host),
    pace: createPace(),
    memory: createHeartbeatMemory(),
    replaceMessage: async (notice) => {
      const [failure] = await queue.send([heartbeatMessage(notice, new Date(clock.now()).toISOString())]);
      if (failure) throw failure.error;
    },
    reportError: (message, error) => log.error(message, error),
  };
  return createQueueHandler({
    work: 'heartbeats',
    host,
    log,
    metrics: createMetrics(host, clusterName),
    queue: {
      ...queue,
      park: createSqsQueue({ client, queueUrl: heartbeatsDeadLetterQueueUrl }).send,
    },
    read: readHeartbeatMessage,
    longestWaitSeconds,
    pass: (subject, signal) =>
      heartbeatPass(
        {
          ...context,
          autoScaling: rejectWhenAborted(signal, context.autoScaling),
          ec2: rejectWhenAborted(signal, context.ec2),
        },
        subject,
      ),
  });
}

export const handler = onLambda(create);

type Calls = Pick<HeartbeatContext, 'autoScaling' | 'ec2'>;

/** At most two reads come before a heartbeat. */
const readMilliseconds = 1000;
const heartbeatMilliseconds = 1500;

/**
 * The same calls, with a limit each, so that two reads that hang leave time for the heartbeat: a pass has four seconds. Without the limits,
 * waits were lost although Auto Scaling accepted heartbeats, because EC2 did not answer.
 */
function withTimeLimits(clock: TimerClock, { autoScaling, ec2 }: Calls): Calls {
  const read = <Value>(answer: Promise<Value>) => withinTime(clock, readMilliseconds, answer);
  return {
    autoScaling: {
      describeInstance: (...input) => read(autoScaling.describeInstance(...input)),
      describeGroup: (name) => read(autoScaling.describeGroup(name)),
      describeHooks: (name) => read(autoScaling.describeHooks(name)),
      recordHeartbeat: (action) =>
        withinTime(clock, heartbeatMilliseconds, autoScaling.recordHeartbeat(action)),
    },
    ec2: { describeInstance: (instanceId) => read(ec2.describeInstance(instanceId)) },
  };
}
