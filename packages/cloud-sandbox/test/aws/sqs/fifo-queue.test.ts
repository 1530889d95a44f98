import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodies, createSqsFixture, receiveCount } from '../support/queue-fixture.ts';

const fifo = { FifoQueue: 'true', ContentBasedDeduplication: 'true', VisibilityTimeout: '30' };

test('a group is blocked while one of its messages is in flight, other groups are not (SQS developer guide, FIFO delivery logic)', async () => {
  const { queue, clock } = createSqsFixture();
  const work = await queue('work.fifo', fifo);
  await work.send('a1', { MessageGroupId: 'a' });
  expect(bodies(await work.receive())).toEqual(['a1']);
  await work.send('a2', { MessageGroupId: 'a' });
  await work.send('b1', { MessageGroupId: 'b' });
  expect(bodies(await work.receive())).toEqual(['b1']);
  clock.advance(30);
  expect(bodies(await work.receive())).toEqual(['a1', 'a2', 'b1']);
});

test('a message whose visibility is set to 3 s returns before later messages, in one receive', async () => {
  const { queue, clock } = createSqsFixture();
  const work = await queue('work.fifo', fifo);
  await work.send('first', { MessageGroupId: 'i-1' });
  const [message] = await work.receive();
  await work.changeVisibility(message, 3);
  await work.send('second', { MessageGroupId: 'i-1' });
  clock.advance(2);
  expect(await work.receive()).toEqual([]);
  clock.advance(1);
  const again = await work.receive();
  expect(bodies(again)).toEqual(['first', 'second']);
  expect(again.map(receiveCount)).toEqual([2, 1]);
});

test('deleting the message in flight unblocks its group at once', async () => {
  const { queue } = createSqsFixture();
  const work = await queue('work.fifo', fifo);
  await work.send('a1', { MessageGroupId: 'a' });
  const [message] = await work.receive();
  await work.send('a2', { MessageGroupId: 'a' });
  await work.delete(message);
  expect(bodies(await work.receive())).toEqual(['a2']);
});

test('a group stays blocked until all of its messages in flight are back or deleted', async () => {
  const { queue } = createSqsFixture();
  const work = await queue('work.fifo', fifo);
  await work.send('a1', { MessageGroupId: 'a' });
  await work.send('a2', { MessageGroupId: 'a' });
  const [first, second] = await work.receive();
  await work.changeVisibility(first, 0);
  expect(await work.receive()).toEqual([]);
  await work.delete(second);
  expect(bodies(await work.receive())).toEqual(['a1']);
});

test('a receive returns all messages of one group before those of the next group', async () => {
  const { queue } = createSqsFixture();
  const work = await queue('work.fifo', fifo);
  for (const body of ['a1', 'b1', 'a2', 'b2', 'a3'])
    await work.send(body, { MessageGroupId: body.charAt(0) });
  expect(bodies(await work.receive({ MaxNumberOfMessages: 4 }))).toEqual(['a1', 'a2', 'a3', 'b1']);
});

test('a duplicate within five minutes gets the first answer and is dropped, even if the first message was deleted', async () => {
  const { queue, clock } = createSqsFixture();
  const work = await queue('work.fifo', fifo);
  const options = { MessageGroupId: 'a', MessageDeduplicationId: 'once' };
  const first = await work.send('body', options);
  const second = await work.send('another body', options);
  expect(second).toMatchObject({ MessageId: first.MessageId, SequenceNumber: first.SequenceNumber });
  const [message] = await work.receive();
  await work.delete(message);
  await work.send('again', options);
  expect(await work.receive()).toEqual([]);
  clock.advance(5 * 60);
  await work.send('after', options);
  expect(bodies(await work.receive())).toEqual(['after']);
});

test('deduplication with the scope messageGroup compares ids within a group only', async () => {
  const { queue } = createSqsFixture();
  const work = await queue('work.fifo', {
    ...fifo,
    DeduplicationScope: 'messageGroup',
    FifoThroughputLimit: 'perMessageGroupId',
  });
  for (const group of ['a', 'b', 'a']) {
    await work.send('same', { MessageGroupId: group, MessageDeduplicationId: 'same' });
  }
  expect(await work.receive()).toHaveLength(2);
});

test('content-based deduplication compares the body, but not the attributes', async () => {
  const { queue } = createSqsFixture();
  const work = await queue('work.fifo', fifo);
  await work.send('same', { MessageGroupId: 'a' });
  await work.send('same', {
    MessageGroupId: 'a',
    MessageAttributes: { k: { DataType: 'String', StringValue: 'v' } },
  });
  expect(await work.receive()).toHaveLength(1);
});

test('a FIFO queue requires a group and a deduplication id, and refuses a delay per message', async () => {
  const { queue } = createSqsFixture();
  const work = await queue('work.fifo', { FifoQueue: 'true' });
  await expect(work.send('x')).rejects.toThrow('MessageGroupId');
  await expect(work.send('x', { MessageGroupId: 'a' })).rejects.toThrow('ContentBasedDeduplication');
  await expect(
    work.send('x', { MessageGroupId: 'a', MessageDeduplicationId: 'd', DelaySeconds: 1 }),
  ).rejects.toThrow('DelaySeconds');
});

test('a FIFO queue refuses an expired receipt handle for deletion and visibility', async () => {
  const { queue, clock } = createSqsFixture();
  const work = await queue('work.fifo', fifo);
  await work.send('a', { MessageGroupId: 'a' });
  const [message] = await work.receive();
  clock.advance(30);
  await expect(work.delete(message)).rejects.toThrow('The receipt handle has expired');
  await expect(work.changeVisibility(message, 10)).rejects.toThrow('The receipt handle has expired');
});

test('a repeated receive attempt returns the same messages and handles (ReceiveRequestAttemptId)', async () => {
  const { queue } = createSqsFixture();
  const work = await queue('work.fifo', fifo);
  await work.send('a', { MessageGroupId: 'a' });
  const first = await work.receive({ ReceiveRequestAttemptId: 'try' });
  const second = await work.receive({ ReceiveRequestAttemptId: 'try' });
  expect(second.map(({ ReceiptHandle }) => ReceiptHandle)).toEqual(
    first.map(({ ReceiptHandle }) => ReceiptHandle),
  );
  expect(await work.receive({ ReceiveRequestAttemptId: 'other' })).toEqual([]);
});

test('each group is received in order and by one consumer at a time, for random sends and timeouts', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('send' as const), group: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constant('receive' as const), maximum: fc.integer({ min: 1, max: 10 }) }),
    fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ kind: fc.constant('delete' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { queue, clock } = createSqsFixture();
      const work = await queue('work.fifo', fifo);
      const held: Array<{
        group: string;
        message: { ReceiptHandle?: string };
        until: number;
        number: number;
      }> = [];
      let number = 0;
      for (const action of steps) {
        const inFlight = held.filter(({ until }) => until > clock.now());
        if (action.kind === 'send') {
          number += 1;
          await work.send(`${action.group} ${number}`, { MessageGroupId: action.group });
        } else if (action.kind === 'wait') clock.advance(action.seconds);
        else if (action.kind === 'delete') {
          const [first] = inFlight;
          if (first === undefined) continue;
          await work.delete(first.message);
          held.splice(held.indexOf(first), 1);
        } else {
          const messages = await work.receive({ MaxNumberOfMessages: action.maximum });
          const seen = messages.map((message) => {
            const [group = '', order = '0'] = (message.Body ?? '').split(' ');
            return { group, message, until: clock.now() + 30_000, number: Number(order) };
          });
          for (const { group } of seen) expect(inFlight.some((other) => other.group === group)).toBe(false);
          for (const group of ['a', 'b', 'c']) {
            const numbers = seen.filter((one) => one.group === group).map((one) => one.number);
            expect(numbers).toEqual([...numbers].sort((left, right) => left - right));
          }
          held.push(...seen);
        }
      }
    }),
    { numRuns: 60 },
  );
});
