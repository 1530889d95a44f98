import {
  CreateQueueCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { sqsEvent } from '@drover/cloud-sandbox/lambda';
import type { SQSBatchResponse } from 'aws-lambda';
import { expect } from 'vitest';
import { sqsClient } from '../../../shared/aws/clients.ts';
import type { AwsConnection } from '../../../shared/aws/connection.ts';
import { createSqsQueue } from '../../../shared/aws/sqs.ts';
import type { Clock } from '../../../shared/base/clock.ts';
import { createLog } from '../../../shared/base/log.ts';
import { createMetrics } from '../../../shared/base/metrics.ts';
import { leavingMessage } from '../../../shared/passes/leaving-message.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';
import type { Outcome } from '../../../shared/passes/outcome.ts';
import { createQueueHandler } from '../../../shared/passes/queue/queue-handler.ts';
import { readLeavingMessage } from '../../support/read-leaving-message.ts';

/** One SQS, simulated or not. */
export interface PassLoopWorld {
  readonly client: SQSClient;
  readonly connection: AwsConnection;
  readonly clock: Clock;
  /** Lets seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
}

type Pass = (subject: string, causes: readonly string[]) => Outcome;

/** The production handler on a FIFO queue, with a poller that keeps to what AWS documents of Lambda's. */
export async function startLoop(world: PassLoopWorld, pass: Pass) {
  const queueUrl = await createQueue(world.client);
  const queue = createSqsQueue({ client: sqsClient(world.connection), queueUrl });
  const poll = poller({ client: world.client, queueUrl, handler: handlerOf(world, queue, pass) });
  return {
    send: async (...notices: readonly LeavingNotice[]) => {
      const failures = await queue.send(notices.map((one) => leavingMessage(one, '2026-01-05T08:00:00Z')));
      expect(failures).toEqual([]);
    },
    /** Polls like Lambda, over and over, for so long. */
    run: async (seconds: number) => {
      const end = world.clock.now() + seconds * 1000;
      for (; world.clock.now() < end; await world.pass(0.1)) await poll();
    },
  };
}

async function createQueue(client: SQSClient): Promise<string> {
  const { QueueUrl = '' } = await client.send(
    new CreateQueueCommand({
      QueueName: `leaving-${crypto.randomUUID()}.fifo`,
      Attributes: { FifoQueue: 'true', VisibilityTimeout: '60' },
    }),
  );
  return QueueUrl;
}

function handlerOf({ clock }: PassLoopWorld, queue: ReturnType<typeof createSqsQueue>, pass: Pass) {
  const host = { clock, randomBytes: (size: number) => new Uint8Array(size), writeLine: () => undefined };
  return createQueueHandler({
    work: 'node-leaving',
    host,
    log: createLog(host),
    metrics: createMetrics(host, 'drover'),
    queue: { ...queue, park: queue.send },
    read: readLeavingMessage,
    pass: async ({ id, notices }) =>
      pass(
        id,
        notices.map(({ cause }) => cause),
      ),
  });
}

interface Poller {
  readonly client: SQSClient;
  readonly queueUrl: string;
  readonly handler: ReturnType<typeof handlerOf>;
}

/** Takes what is there, calls the function, and deletes what it does not report. */
const poller = (options: Poller) => async (): Promise<void> => {
  const messages = await receive(options);
  if (messages.length === 0) return;
  const context = { awsRequestId: 'r', functionName: 'node-leaving', getRemainingTimeInMillis: () => 30_000 };
  const event = sqsEvent(messages, 'arn:aws:sqs:eu-west-1:123456789012:leaving.fifo');
  const { batchItemFailures }: SQSBatchResponse = await options.handler(event, context);
  const kept = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const done = messages.filter(({ MessageId = '' }) => !kept.has(MessageId));
  for (const { ReceiptHandle } of done)
    await options.client.send(new DeleteMessageCommand({ QueueUrl: options.queueUrl, ReceiptHandle }));
};

async function receive({ client, queueUrl }: Poller): Promise<readonly Message[]> {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['All'],
    }),
  );
  return Messages;
}
