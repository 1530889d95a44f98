import type { FunctionWiring } from '@drover/cloud-sandbox';
import type { AwsRequestHandler, CallDescription, Fault } from '@drover/cloud-sandbox/aws';
import { createTestFront, credentials, region } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { createLambdaWorld, queueArnOf } from '@drover/cloud-sandbox/test/lambda/support/lambda-world.ts';
import { sqsClient } from '../../shared/aws/clients.ts';
import { createSqsQueue } from '../../shared/aws/sqs.ts';
import type { LambdaHandler } from '../../shared/base/lambda.ts';
import { createLog } from '../../shared/base/log.ts';
import { createMetrics } from '../../shared/base/metrics.ts';
import { leavingMessage } from '../../shared/passes/leaving-message.ts';
import type { LeavingNotice } from '../../shared/passes/leaving-notice.ts';
import { createQueueHandler, type Pass } from '../../shared/passes/queue/queue-handler.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { Host } from '../../shared/runtime/host.ts';
import { readLeavingMessage } from './read-leaving-message.ts';

export interface PassWorldOptions {
  readonly pass: Pass<LeavingNotice>;
  readonly recursiveLoop?: FunctionWiring['recursiveLoop'];
  readonly maxReceiveCount?: number;
}

/** The production batch loop in the simulated Lambda, on the simulated SQS, through the same interface as functions. */
export function createPassWorld({ pass, recursiveLoop = 'Allow', maxReceiveCount = 1000 }: PassWorldOptions) {
  const lines: Record<string, unknown>[] = [];
  const calls: string[] = [];
  let fault: (call: CallDescription) => Fault = () => undefined;
  let killAfterCall: number | undefined;
  let working = 0;

  const world = createLambdaWorld({
    create: (host) => {
      const handler = handlerOn(host, pass);
      return async (event, context) => {
        working += 1;
        return await handler(event, context).finally(() => {
          working -= 1;
        });
      };
    },
    queueName: 'leaving.fifo',
    queueAttributes: {
      FifoQueue: 'true',
      VisibilityTimeout: '60',
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: queueArnOf('dead-letters.fifo'),
        maxReceiveCount,
      }),
    },
    function: { recursiveLoop },
    host: ({ sqs, clock }) => {
      const { clientOptions } = createTestFront({
        services: [sqs],
        clock,
        onCall: (call) => {
          calls.push(call.operation);
          return fault(call);
        },
      });
      const awsRequestHandler = dyingAfter(
        clientOptions.requestHandler,
        () => calls.length === killAfterCall,
      );
      return {
        awsRequestHandler,
        writeLine: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
      };
    },
  });

  const sendBody = (body: string, groupId: string, deduplicationId: string): void => {
    world.sqs.controls.send(queueArnOf('leaving.fifo'), {
      MessageBody: body,
      MessageGroupId: groupId,
      MessageDeduplicationId: deduplicationId,
    });
  };
  /** Lets what is under way at this instant come to rest; a pass that waits for the clock is not waited for. */
  const settle = async (): Promise<void> => {
    const turn = () => new Promise((resume) => setImmediate(resume));
    const isBusy = (): boolean => working > 0;
    for (let turns = 0; turns < 6 || (isBusy() && turns < 300); turns += 1) await turn();
  };
  const elapse = async (seconds: number): Promise<void> => {
    const end = world.clock.now() + seconds * 1000;
    await settle();
    while (world.clock.step(end)) await settle();
    world.clock.moveTo(end);
  };
  return {
    ...world,
    lines,
    calls,
    sendBody,
    send: (notice: LeavingNotice) => {
      const { body, deduplicationId } = leavingMessage(notice, new Date(world.clock.now()).toISOString());
      sendBody(body, notice.instanceId, deduplicationId ?? '');
    },
    elapse,
    /** Receives every waiting message so many times. */
    handOut: async (times: number) => {
      const QueueUrl = world.sqs.controls.queueUrl(queueArnOf('leaving.fifo'));
      for (let time = 0; time < times; time += 1) {
        const { Messages = [] } = await world.sqs.operations.ReceiveMessage({
          QueueUrl,
          MaxNumberOfMessages: 10,
        });
        for (const { ReceiptHandle } of Messages)
          world.sqs.operations.ChangeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
      }
    },
    failCalls: (next: typeof fault) => {
      fault = next;
    },
    /** The function dies once it has made so many calls: the call is done, its answer never arrives. */
    killAfter: (count: number | undefined) => {
      killAfterCall = count;
    },
    passLines: () => lines.filter(({ message }) => message === 'pass'),
  };
}

function handlerOn(host: Host, pass: Pass<LeavingNotice>): LambdaHandler {
  const client = sqsClient(
    awsConnection({ ...host, environment: { AWS_REGION: region }, awsCredentials: () => credentials }),
  );
  const queueOf = (name: string) =>
    createSqsQueue({ client, queueUrl: `https://sqs.${region}.amazonaws.com/123456789012/${name}` });
  const { changeVisibility, send } = queueOf('leaving.fifo');
  return createQueueHandler({
    work: 'node-leaving',
    host,
    log: createLog(host, { function: 'node-leaving' }),
    metrics: createMetrics(host, 'drover'),
    queue: { changeVisibility, send, park: queueOf('dead-letters.fifo').send },
    read: readLeavingMessage,
    pass,
  });
}

const dyingAfter = (handler: AwsRequestHandler, isDead: () => boolean): AwsRequestHandler => ({
  ...handler,
  handle: async (request, options) => {
    const answer = await handler.handle(request, options);
    return isDead() ? await new Promise<never>(() => {}) : answer;
  },
});
