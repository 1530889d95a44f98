import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { bodies, createSqsFixture } from '../support/queue-fixture.ts';

const entry = (id: string, body = id) => ({ Id: id, MessageBody: body });

test('each entry of a batch succeeds or fails on its own', async () => {
  const { queue, client } = createSqsFixture();
  const inbox = await queue('inbox');
  const answer = await client.send(
    new SendMessageBatchCommand({
      QueueUrl: inbox.url,
      Entries: [entry('a'), { ...entry('b'), DelaySeconds: 901 }, entry('c')],
    }),
  );
  expect(answer.Successful?.map(({ Id }) => Id)).toEqual(['a', 'c']);
  expect(answer.Failed).toMatchObject([{ Id: 'b', Code: 'InvalidParameterValue', SenderFault: true }]);
  expect(bodies(await inbox.receive())).toEqual(['a', 'c']);
});

test.each([
  ['no entry', [], 'EmptyBatchRequest'],
  [
    'eleven entries',
    Array.from({ length: 11 }, (_, index) => entry(`e${index}`)),
    'TooManyEntriesInBatchRequest',
  ],
  ['a duplicate id', [entry('a'), entry('a')], 'BatchEntryIdsNotDistinct'],
  ['an id with a space', [entry('a b', 'x')], 'InvalidBatchEntryId'],
  [
    'more than 1 MiB in all',
    [entry('a', 'x'.repeat(600_000)), entry('b', 'x'.repeat(600_000))],
    'BatchRequestTooLong',
  ],
])('a batch with %s is refused as a whole', async (_, Entries, name) => {
  const { queue, client } = createSqsFixture();
  const { url } = await queue('inbox');
  await expect(client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }))).rejects.toMatchObject({
    name,
  });
});

test('visibility changes and deletions work in batches', async () => {
  const { queue, client, sqs } = createSqsFixture();
  const inbox = await queue('inbox');
  for (const body of ['a', 'b']) await inbox.send(body);
  const received = await inbox.receive();
  const handles = received.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  const changed = await client.send(
    new ChangeMessageVisibilityBatchCommand({
      QueueUrl: inbox.url,
      Entries: handles.map((handle) => ({ ...handle, VisibilityTimeout: 7 })),
    }),
  );
  expect(changed.Successful).toHaveLength(2);
  const deleted = await client.send(
    new DeleteMessageBatchCommand({
      QueueUrl: inbox.url,
      Entries: [...handles, { Id: 'bad', ReceiptHandle: 'made-up' }],
    }),
  );
  expect(deleted.Failed).toMatchObject([{ Id: 'bad', Code: 'ReceiptHandleIsInvalid' }]);
  expect(sqs.controls.peek('inbox')).toEqual([]);
});
