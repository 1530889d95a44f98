import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListDeadLetterSourceQueuesCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  PurgeQueueCommand,
  SetQueueAttributesCommand,
  TagQueueCommand,
  UntagQueueCommand,
} from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { createSqsFixture } from '../support/queue-fixture.ts';

test('creating a queue again returns its URL, and is refused with other attributes', async () => {
  const { queue } = createSqsFixture();
  const first = await queue('inbox', { VisibilityTimeout: '30' });
  expect(first.url).toBe('https://sqs.eu-west-1.amazonaws.com/123456789012/inbox');
  expect((await queue('inbox', { VisibilityTimeout: '30' })).url).toBe(first.url);
  await expect(queue('inbox', { VisibilityTimeout: '31' })).rejects.toMatchObject({
    name: 'QueueNameExists',
  });
});

test.each([
  ['bad name', {}],
  ['x'.repeat(81), {}],
  ['work.fifo', {}],
  ['work', { FifoQueue: 'true' }],
])('the name %s with %o is refused', async (name, attributes) => {
  const { queue } = createSqsFixture();
  await expect(queue(name, attributes)).rejects.toThrow('QueueName');
});

test.each([
  [{ VisibilityTimeout: '43201' }, 'InvalidAttributeValue'],
  [{ MessageRetentionPeriod: '59' }, 'InvalidAttributeValue'],
  [{ ReceiveMessageWaitTimeSeconds: '21' }, 'InvalidAttributeValue'],
  [{ MaximumMessageSize: '1048577' }, 'InvalidAttributeValue'],
  [{ ContentBasedDeduplication: 'true' }, 'InvalidAttributeName'],
  [{ Colour: 'red' }, 'InvalidAttributeName'],
])('the attributes %o are refused with %s', async (attributes, name) => {
  const { queue } = createSqsFixture();
  await expect(queue('inbox', attributes)).rejects.toMatchObject({ name });
});

test('high throughput per group needs deduplication per group (SetQueueAttributes)', async () => {
  const { queue } = createSqsFixture();
  const attributes = { FifoQueue: 'true', FifoThroughputLimit: 'perMessageGroupId' };
  await expect(queue('work.fifo', attributes)).rejects.toThrow('DeduplicationScope');
});

test('a deleted queue does not exist, and its name can be reused after 60 seconds', async () => {
  const { queue, client, clock } = createSqsFixture();
  const inbox = await queue('inbox');
  await client.send(new DeleteQueueCommand({ QueueUrl: inbox.url }));
  await expect(inbox.receive()).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  await expect(queue('inbox')).rejects.toMatchObject({ name: 'QueueDeletedRecently' });
  clock.advance(60);
  await queue('inbox');
});

test('attributes count visible, in-flight and delayed messages', async () => {
  const { queue, client } = createSqsFixture();
  const inbox = await queue('inbox');
  for (const body of ['a', 'b', 'c']) await inbox.send(body);
  await inbox.send('d', { DelaySeconds: 10 });
  await inbox.receive({ MaxNumberOfMessages: 1 });
  const read = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: inbox.url, AttributeNames: ['All'] }),
  );
  expect(read.Attributes).toMatchObject({
    ApproximateNumberOfMessages: '2',
    ApproximateNumberOfMessagesNotVisible: '1',
    ApproximateNumberOfMessagesDelayed: '1',
    QueueArn: 'arn:aws:sqs:eu-west-1:123456789012:inbox',
    VisibilityTimeout: '30',
    SqsManagedSseEnabled: 'true',
  });
});

test('a refused change of attributes changes nothing', async () => {
  const { queue, client } = createSqsFixture();
  const inbox = await queue('inbox');
  const RedrivePolicy = JSON.stringify({
    deadLetterTargetArn: 'arn:aws:sqs:eu-west-1:123456789012:no',
    maxReceiveCount: 1,
  });
  const change = { QueueUrl: inbox.url, Attributes: { VisibilityTimeout: '5', RedrivePolicy } };
  await expect(client.send(new SetQueueAttributesCommand(change))).rejects.toThrow('does not exist');
  const read = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: inbox.url, AttributeNames: ['All'] }),
  );
  expect(read.Attributes).toMatchObject({ VisibilityTimeout: '30' });
  expect(read.Attributes?.RedrivePolicy).toBeUndefined();
});

test('PurgeQueue empties a queue, once in 60 seconds', async () => {
  const { queue, client, clock } = createSqsFixture();
  const inbox = await queue('inbox');
  await inbox.send('a');
  await client.send(new PurgeQueueCommand({ QueueUrl: inbox.url }));
  expect(await inbox.receive()).toEqual([]);
  await expect(client.send(new PurgeQueueCommand({ QueueUrl: inbox.url }))).rejects.toMatchObject({
    name: 'PurgeQueueInProgress',
  });
  clock.advance(60);
  await client.send(new PurgeQueueCommand({ QueueUrl: inbox.url }));
});

test('queues can be listed by prefix and in pages, and found by name', async () => {
  const { queue, client } = createSqsFixture();
  for (const name of ['a-1', 'a-2', 'a-3', 'b-1']) await queue(name);
  const first = await client.send(new ListQueuesCommand({ QueueNamePrefix: 'a-', MaxResults: 2 }));
  expect(first.QueueUrls).toHaveLength(2);
  const second = await client.send(
    new ListQueuesCommand({ QueueNamePrefix: 'a-', MaxResults: 2, NextToken: first.NextToken }),
  );
  expect(second.QueueUrls).toEqual(['https://sqs.eu-west-1.amazonaws.com/123456789012/a-3']);
  expect(second.NextToken).toBeUndefined();
  await expect(client.send(new GetQueueUrlCommand({ QueueName: 'c' }))).rejects.toMatchObject({
    name: 'QueueDoesNotExist',
  });
});

test('the sources of a dead-letter queue can be listed', async () => {
  const { queue, client } = createSqsFixture();
  const dead = await queue('dead');
  const RedrivePolicy = JSON.stringify({
    deadLetterTargetArn: 'arn:aws:sqs:eu-west-1:123456789012:dead',
    maxReceiveCount: 3,
  });
  const inbox = await queue('inbox', { RedrivePolicy });
  const { queueUrls } = await client.send(new ListDeadLetterSourceQueuesCommand({ QueueUrl: dead.url }));
  expect(queueUrls).toEqual([inbox.url]);
});

test('tags can be set at creation, added and removed', async () => {
  const { client } = createSqsFixture();
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'inbox', tags: { a: '1' } }));
  await client.send(new TagQueueCommand({ QueueUrl, Tags: { b: '2' } }));
  await client.send(new UntagQueueCommand({ QueueUrl, TagKeys: ['a'] }));
  expect((await client.send(new ListQueueTagsCommand({ QueueUrl }))).Tags).toEqual({ b: '2' });
});
