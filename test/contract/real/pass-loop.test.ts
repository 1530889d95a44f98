import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sqsEvent } from '../../../local/lambda/sqs-event.ts';
import { sqsApi } from '../../../shared/aws/api/sqs-api.ts';
import { createSqsQueue } from '../../../shared/aws/sqs.ts';
import { sendHttp } from '../../../shared/kubernetes/send-http.ts';
import { deduplicationIdOf, leavingMessage, readLeavingMessage } from '../../../shared/lifecycle/messages.ts';
import type { LeavingCause, LeavingNotice } from '../../../shared/lifecycle/notice.ts';
import { again, done, type Outcome } from '../../../shared/lifecycle/outcome.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import { createLog } from '../../../shared/runtime/log.ts';
import { createMetrics } from '../../../shared/runtime/metrics.ts';
import { createQueueHandler } from '../../../shared/runtime/queue/queue-handler.ts';
import { fifoEmulators } from './fifo-emulators.ts';
import type { RunningServer } from './start-server.ts';

const stuck = 'i-0000000000000000a';
const free = 'i-0000000000000000b';

const notice = (instanceId: string, cause: LeavingCause, deadline?: string): LeavingNotice => ({
  cause,
  instanceId,
  noticedAt: '2026-01-05T08:00:00Z',
  ...(deadline && { deadline }),
});

/** The production handler on a FIFO queue, with a poller that keeps to what AWS documents of Lambda's. */
async function startLoopOn(
  { url }: RunningServer,
  pass: (subject: string, causes: readonly string[]) => Outcome,
) {
  const client = new SQSClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
  const { QueueUrl: queueUrl = '' } = await client.send(
    new CreateQueueCommand({
      QueueName: `leaving-${crypto.randomUUID()}.fifo`,
      Attributes: { FifoQueue: 'true', VisibilityTimeout: '60' },
    }),
  );
  const clock = { now: () => Date.now() };
  const api = sqsApi(
    awsConnection({
      environment: { AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL: url },
      awsCredentials: () => ({ accessKeyId: 'x', secretAccessKey: 'x' }),
      sendHttp,
      clock,
    }),
  );
  const queue = createSqsQueue({ api, queueUrl });
  const host = {
    clock,
    randomBytes: (size: number) => new Uint8Array(size),
    writeLine: () => undefined,
  };
  const handler = createQueueHandler({
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
  const context = { awsRequestId: 'r', functionName: 'node-leaving', getRemainingTimeInMillis: () => 30_000 };
  const receive = async (): Promise<readonly Message[]> => {
    const answer = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    return answer.Messages ?? [];
  };
  const poll = async (): Promise<void> => {
    const messages = await receive();
    if (messages.length === 0) return;
    const event = sqsEvent(messages, 'arn:aws:sqs:eu-west-1:123456789012:leaving.fifo');
    const { batchItemFailures }: SQSBatchResponse = await handler(event, context);
    const kept = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { MessageId = '', ReceiptHandle } of messages)
      if (!kept.has(MessageId))
        await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
  };
  return {
    send: async (...notices: readonly LeavingNotice[]) => {
      const failures = await queue.send(
        notices.map((one) => ({
          body: JSON.stringify(leavingMessage(one, '2026-01-05T08:00:00Z')),
          groupId: one.instanceId,
          deduplicationId: deduplicationIdOf(one),
        })),
      );
      expect(failures).toEqual([]);
    },
    /** Polls like Lambda, over and over, for so long. */
    run: async (seconds: number) => {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(100)) await poll();
    },
  };
}

describe.each(fifoEmulators)('the loop of passes on the FIFO queues of $name', ({ isInstalled, start }) => {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    if (isInstalled) server = await start();
  }, 60_000);
  afterAll(() => server?.stop());
  beforeEach((context) => {
    if (!isInstalled) context.skip('it is not installed: npm run real:install');
  });

  const startLoop = (pass: (subject: string, causes: readonly string[]) => Outcome) => {
    if (server === undefined) throw new Error('the emulator does not run');
    return startLoopOn(server, pass);
  };

  test('again brings the same subject back after its seconds, done ends it', {
    timeout: 20_000,
  }, async () => {
    const passes: number[] = [];
    const loop = await startLoop(() => {
      passes.push(Date.now());
      return passes.length < 3 ? again(2, 'not yet') : done('gone');
    });
    await loop.send(notice(stuck, 'terminating'));
    await loop.run(8);
    expect(passes).toHaveLength(3);
    const gaps = passes.slice(1).map((at, index) => at - (passes[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(1900);
  });

  test('a waiting subject holds up no other, and a second reason waits behind the first', {
    timeout: 20_000,
  }, async () => {
    const seen: string[] = [];
    const loop = await startLoop((subject, causes) => {
      seen.push(`${subject.at(-1)} ${causes.toSorted().join('+')}`);
      return subject === stuck && causes.length < 2 ? again(2, 'held') : done('gone');
    });
    await loop.send(notice(stuck, 'terminating'));
    await loop.run(0.5);
    await loop.send(notice(stuck, 'spot-interruption', '2026-01-05T08:02:00Z'), notice(free, 'terminating'));
    await loop.run(1);
    expect(seen).toEqual(['a terminating', 'b terminating']);
    await loop.run(3);
    expect(seen).toEqual(['a terminating', 'b terminating', 'a spot-interruption+terminating']);
  });

  test('the same reason sent twice is one message', { timeout: 20_000 }, async () => {
    const seen: string[] = [];
    const loop = await startLoop((subject) => {
      seen.push(subject);
      return done('gone');
    });
    await loop.send(notice(free, 'terminating'), notice(free, 'terminating'));
    await loop.run(1);
    expect(seen).toEqual([free]);
  });
});
