import { setTimeout as sleep } from 'node:timers/promises';
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { queueHandle } from '../../local/aws/support/queue-fixture.ts';
import { type FifoWorld, fifoCases } from '../sqs-fifo-cases.ts';
import { elasticMqIsInstalled, startElasticMq } from './elasticmq.ts';
import type { RunningServer } from './start-server.ts';

/**
 * Where ElasticMQ 1.6.14 does otherwise than AWS documents, and the sandbox sides with AWS. Each is expected to fail, so
 * that a version that changes its manners is noticed.
 */
const elasticMqDiffers: ReadonlyMap<string, string> = new Map([
  [
    'a group stays blocked until none of its messages is in flight',
    'it hands out the one that came back; the developer guide: "When messages that belong to a particular message group ID are invisible, no other consumer can process messages with the same message group ID"',
  ],
  ['with the scope messageGroup an id counts in each group by itself', 'it has no DeduplicationScope'],
  [
    'an expired receipt handle deletes nothing and is refused',
    'it deletes; AWS answers "The receipt handle has expired" (aws/aws-sdk-js issues 1279 and 1750)',
  ],
  [
    'the same receive attempt gets the same messages again',
    'it answers with new receipt handles; ReceiveMessage: "the same message set and receipt handles"',
  ],
]);

let server: RunningServer | undefined;

beforeAll(async () => {
  if (elasticMqIsInstalled) server = await startElasticMq();
}, 60_000);

afterAll(() => server?.stop());

function elasticMqWorld(): FifoWorld {
  if (server === undefined) throw new Error('ElasticMQ does not run');
  const client = new SQSClient({
    endpoint: server.url,
    region: 'elasticmq',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  return {
    queue: async (attributes = {}) => {
      const defaults = { FifoQueue: 'true', ContentBasedDeduplication: 'true', VisibilityTimeout: '30' };
      const QueueName = `work-${crypto.randomUUID()}.fifo`;
      const created = await client.send(
        new CreateQueueCommand({ QueueName, Attributes: { ...defaults, ...attributes } }),
      );
      const QueueUrl = created.QueueUrl ?? '';
      const read = await client.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
      );
      return { ...queueHandle(client, QueueUrl), arn: read.Attributes?.QueueArn ?? '' };
    },
    pass: (seconds) => sleep(seconds * 1000),
  };
}

describe.skipIf(!elasticMqIsInstalled)('FIFO queues of ElasticMQ', () => {
  for (const [name, run] of Object.entries(fifoCases)) {
    const check = elasticMqDiffers.has(name) ? test.fails : test;
    check(name, () => run(elasticMqWorld()));
  }
});
