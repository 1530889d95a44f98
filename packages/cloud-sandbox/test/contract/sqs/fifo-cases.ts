import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { bodies, queueHandle, receiveCount } from '../../aws/support/queue-fixture.ts';

type Queue = ReturnType<typeof queueHandle>;

/** One SQS, simulated or not, as the cases need it. */
export interface FifoWorld {
  /** A new FIFO queue, by default with a visibility timeout of 30 s and content-based deduplication. */
  readonly queue: (
    attributes?: Readonly<Record<string, string>>,
  ) => Promise<Queue & { readonly arn: string }>;
  /** Lets seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
}

/** By behaviour of a FIFO queue. Every behaviour is documented in the SQS developer guide or API reference. */
export const fifoCases: Cases<FifoWorld> = {
  'a group is blocked while one of its messages is in flight, and no other group is': async ({ queue }) => {
    const work = await queue();
    await work.send('a1', { MessageGroupId: 'a' });
    expect(bodies(await work.receive())).toEqual(['a1']);
    await work.send('a2', { MessageGroupId: 'a' });
    await work.send('b1', { MessageGroupId: 'b' });
    expect(bodies(await work.receive())).toEqual(['b1']);
    expect(bodies(await work.receive())).toEqual([]);
  },
  'a message that returns is received before later ones, with a higher receive count': async ({
    queue,
    pass,
  }) => {
    const work = await queue();
    await work.send('first', { MessageGroupId: 'a' });
    const [message] = await work.receive();
    await work.changeVisibility(message, 2);
    await work.send('second', { MessageGroupId: 'a' });
    expect(await work.receive()).toEqual([]);
    await pass(2.5);
    const again = await work.receive();
    expect(bodies(again)).toEqual(['first', 'second']);
    expect(again.map(receiveCount)).toEqual([2, 1]);
  },
  'deleting the message in flight unblocks its group at once': async ({ queue }) => {
    const work = await queue();
    await work.send('a1', { MessageGroupId: 'a' });
    const [message] = await work.receive();
    await work.send('a2', { MessageGroupId: 'a' });
    await work.delete(message);
    expect(bodies(await work.receive())).toEqual(['a2']);
  },
  'a group stays blocked until none of its messages is in flight': async ({ queue }) => {
    const work = await queue();
    await work.send('a1', { MessageGroupId: 'a' });
    await work.send('a2', { MessageGroupId: 'a' });
    const [first, second] = await work.receive();
    await work.changeVisibility(first, 0);
    expect(await work.receive()).toEqual([]);
    await work.delete(second);
    expect(bodies(await work.receive())).toEqual(['a1']);
  },
  'a receive returns all messages of one group before those of the next group': async ({ queue }) => {
    const work = await queue();
    for (const body of ['a1', 'b1', 'a2', 'b2', 'a3'])
      await work.send(body, { MessageGroupId: body.charAt(0) });
    expect(bodies(await work.receive({ MaxNumberOfMessages: 3 }))).toEqual(['a1', 'a2', 'a3']);
  },
  'a receive of ten returns several groups, each in order': async ({ queue }) => {
    const work = await queue();
    for (const body of ['a1', 'b1', 'a2', 'b2']) await work.send(body, { MessageGroupId: body.charAt(0) });
    const received = bodies(await work.receive());
    expect(received.filter((body) => body?.startsWith('a'))).toEqual(['a1', 'a2']);
    expect(received.filter((body) => body?.startsWith('b'))).toEqual(['b1', 'b2']);
  },
  'a duplicate gets the id of the first message and is dropped, even if that was deleted': async ({
    queue,
  }) => {
    const work = await queue();
    const options = { MessageGroupId: 'a', MessageDeduplicationId: 'once' };
    const first = await work.send('one', options);
    expect((await work.send('two', options)).MessageId).toBe(first.MessageId);
    const [message, ...others] = await work.receive();
    expect(others).toEqual([]);
    await work.delete(message);
    await work.send('three', options);
    expect(await work.receive()).toEqual([]);
  },
  'content-based deduplication compares the body only': async ({ queue }) => {
    const work = await queue();
    const MessageAttributes = { k: { DataType: 'String', StringValue: 'v' } };
    await work.send('same', { MessageGroupId: 'a' });
    await work.send('same', { MessageGroupId: 'a', MessageAttributes });
    expect(await work.receive()).toHaveLength(1);
  },
  'deduplication with the scope messageGroup compares ids within a group only': async ({ queue }) => {
    const work = await queue({
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
    for (const group of ['a', 'b', 'a']) {
      await work.send('same', { MessageGroupId: group, MessageDeduplicationId: 'same' });
    }
    expect(await work.receive()).toHaveLength(2);
  },
  'a message of a FIFO queue needs a group': async ({ queue }) => {
    const work = await queue();
    await expect(work.send('x')).rejects.toThrow('MessageGroupId');
  },
  'a message needs a deduplication id without content-based deduplication': async ({ queue }) => {
    const work = await queue({ ContentBasedDeduplication: 'false' });
    await expect(work.send('x', { MessageGroupId: 'a' })).rejects.toThrow();
  },
  'a delay per message is refused in a FIFO queue': async ({ queue }) => {
    const work = await queue();
    await expect(work.send('x', { MessageGroupId: 'a', DelaySeconds: 1 })).rejects.toThrow('DelaySeconds');
  },
  'an expired receipt handle deletes nothing and is refused': async ({ queue, pass }) => {
    const work = await queue();
    await work.send('x', { MessageGroupId: 'a' });
    const [message] = await work.receive({ VisibilityTimeout: 1 });
    await pass(1.5);
    await expect(work.delete(message)).rejects.toThrow('expired');
    expect(await work.receive()).toHaveLength(1);
  },
  'a message that exceeds maxReceiveCount goes to the dead-letter queue, and its group continues': async ({
    queue,
    pass,
  }) => {
    const dead = await queue();
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: 1 });
    const work = await queue({ RedrivePolicy, VisibilityTimeout: '1' });
    await work.send('poison', { MessageGroupId: 'a' });
    expect(bodies(await work.receive())).toEqual(['poison']);
    await work.send('good', { MessageGroupId: 'a' });
    await pass(1.5);
    expect(bodies(await work.receive())).toEqual(['good']);
    expect(bodies(await dead.receive())).toEqual(['poison']);
  },
  'a repeated receive attempt returns the same messages': async ({ queue }) => {
    const work = await queue();
    await work.send('x', { MessageGroupId: 'a' });
    const first = await work.receive({ ReceiveRequestAttemptId: 'try' });
    const second = await work.receive({ ReceiveRequestAttemptId: 'try' });
    expect(second.map(({ ReceiptHandle }) => ReceiptHandle)).toEqual(
      first.map(({ ReceiptHandle }) => ReceiptHandle),
    );
    expect(first).toHaveLength(1);
  },
};
