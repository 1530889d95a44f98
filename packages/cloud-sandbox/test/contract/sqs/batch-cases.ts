import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  PurgeQueueCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { bodies } from '../../aws/support/queue-fixture.ts';
import { openQueue, type SqsWorld } from './world.ts';

/** Sends a batch of so many messages. */
async function batchSender(world: SqsWorld) {
  const QueueUrl = (await openQueue(world)).url;
  const entries = Array.from({ length: 11 }, (_, index) => ({ Id: `${index}`, MessageBody: 'x' }));
  return (count: number) =>
    world.client.send(new SendMessageBatchCommand({ QueueUrl, Entries: entries.slice(0, count) }));
}

/** Batches, and what they answer of each entry. */
export const sqsBatchCases: Cases<SqsWorld> = {
  'an invalid entry of a batch fails on its own': async (world) => {
    const work = await openQueue(world);
    const Entries = [
      { Id: 'good', MessageBody: 'good' },
      { Id: 'bad', MessageBody: 'bad', DelaySeconds: 901 },
    ];
    const answer = await world.client.send(new SendMessageBatchCommand({ QueueUrl: work.url, Entries }));
    expect(answer.Successful?.map(({ Id }) => Id)).toEqual(['good']);
    expect(answer.Failed).toMatchObject([{ Id: 'bad', SenderFault: true, Code: 'InvalidParameterValue' }]);
    expect(bodies(await work.receive())).toEqual(['good']);
  },
  'a batch has at most ten entries': async (world) => {
    const send = await batchSender(world);
    await expect(send(11)).rejects.toMatchObject({ name: 'TooManyEntriesInBatchRequest' });
    expect((await send(10)).Successful).toHaveLength(10);
  },
  'an empty batch is refused': async (world) => {
    const send = await batchSender(world);
    await expect(send(0)).rejects.toMatchObject({ name: 'EmptyBatchRequest' });
  },
  'duplicate ids in a batch are refused': async (world) => {
    const QueueUrl = (await openQueue(world)).url;
    const Entries = [
      { Id: 'a', MessageBody: 'x' },
      { Id: 'a', MessageBody: 'y' },
    ];
    await expect(world.client.send(new SendMessageBatchCommand({ QueueUrl, Entries }))).rejects.toMatchObject(
      { name: 'BatchEntryIdsNotDistinct' },
    );
  },
  // SendMessageBatchRequestEntry, Id: "up to 80 characters ... alphanumeric characters, hyphens(-), and underscores(_)".
  'the id of an entry has letters, digits, - and _': async (world) => {
    const QueueUrl = (await openQueue(world)).url;
    for (const Id of ['a.b', 'x'.repeat(81)])
      await expect(
        world.client.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id, MessageBody: 'x' }] })),
      ).rejects.toMatchObject({ name: 'InvalidBatchEntryId' });
  },
  'messages can be deleted and hidden in batches': async (world) => {
    const work = await openQueue(world);
    for (const body of ['a', 'b']) await work.send(body);
    const messages = [...(await work.receive()), ...(await work.receive())];
    const handleOf = (body: string) => messages.find(({ Body }) => Body === body)?.ReceiptHandle;
    const QueueUrl = work.url;
    const hidden = await world.client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl,
        Entries: [{ Id: 'b', ReceiptHandle: handleOf('b'), VisibilityTimeout: 0 }],
      }),
    );
    const deleted = await world.client.send(
      new DeleteMessageBatchCommand({ QueueUrl, Entries: [{ Id: 'a', ReceiptHandle: handleOf('a') }] }),
    );
    expect([hidden.Successful, deleted.Successful]).toMatchObject([[{ Id: 'b' }], [{ Id: 'a' }]]);
    expect([hidden.Failed ?? [], deleted.Failed ?? []]).toEqual([[], []]);
    expect(bodies(await work.receive())).toEqual(['b']);
  },
  'a purge deletes all messages, including those in flight': async (world) => {
    const work = await openQueue(world, { VisibilityTimeout: '1' });
    await work.send('x');
    await work.receive();
    await work.send('y');
    await world.client.send(new PurgeQueueCommand({ QueueUrl: work.url }));
    await world.pass(1.5);
    expect(await work.receive()).toEqual([]);
  },
  // PurgeQueue, PurgeQueueInProgress: within 60 seconds of the last.
  'a queue can be purged once a minute': async (world) => {
    const QueueUrl = (await openQueue(world)).url;
    await world.client.send(new PurgeQueueCommand({ QueueUrl }));
    await expect(world.client.send(new PurgeQueueCommand({ QueueUrl }))).rejects.toMatchObject({
      name: 'PurgeQueueInProgress',
    });
  },
  'a missing queue is refused': async ({ client }) => {
    await expect(client.send(new GetQueueUrlCommand({ QueueName: 'missing' }))).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
    });
  },
};
