import { expect, test } from 'vitest';
import { bodies, createSqsFixture } from '../support/queue-fixture.ts';

const inboxArn = 'arn:aws:sqs:eu-west-1:123456789012:inbox';

test('a long poll waits on the clock until a message comes', async () => {
  const { queue, clock } = createSqsFixture({ longPolling: true });
  const inbox = await queue('inbox');
  const waiting = inbox.receive({ WaitTimeSeconds: 20 });
  await new Promise(setImmediate);
  clock.advance(5);
  await inbox.send('a');
  clock.advance(0);
  expect(bodies(await waiting)).toEqual(['a']);
});

test('a long poll without a message ends empty after its wait time', async () => {
  const { queue, clock } = createSqsFixture({ longPolling: true });
  const inbox = await queue('inbox', { ReceiveMessageWaitTimeSeconds: '20' });
  let answered = false;
  const waiting = inbox.receive().then((messages) => {
    answered = true;
    return messages;
  });
  await new Promise(setImmediate);
  clock.advance(19);
  await new Promise(setImmediate);
  expect(answered).toBe(false);
  clock.advance(1);
  expect(await waiting).toEqual([]);
});

test('a long poll in process returns at once, because simulated time stops during a call', async () => {
  const { queue } = createSqsFixture();
  const inbox = await queue('inbox');
  expect(await inbox.receive({ WaitTimeSeconds: 20 })).toEqual([]);
});

test('a subscriber is notified of new messages, of visible messages and of unblocked groups', async () => {
  const { queue, clock, sqs } = createSqsFixture();
  const inbox = await queue('inbox', { VisibilityTimeout: '30' });
  let heard = 0;
  const stop = sqs.controls.onVisible(inboxArn, () => {
    heard += 1;
  });
  await inbox.send('a');
  expect(heard).toBe(0);
  clock.advance(0);
  expect(heard).toBe(1);
  const [message] = await inbox.receive();
  await inbox.changeVisibility(message, 10);
  clock.advance(9);
  expect(heard).toBe(1);
  clock.advance(1);
  expect(heard).toBe(2);
  stop();
  await inbox.send('b');
  clock.advance(0);
  expect(heard).toBe(2);
});

test('deleting a message notifies subscribers of the next message of its group', async () => {
  const { queue, clock, sqs } = createSqsFixture();
  const work = await queue('work.fifo', { FifoQueue: 'true', ContentBasedDeduplication: 'true' });
  await work.send('1', { MessageGroupId: 'a' });
  const [message] = await work.receive();
  await work.send('2', { MessageGroupId: 'a' });
  clock.advance(0);
  let heard = 0;
  sqs.controls.onVisible('work.fifo', () => {
    heard += 1;
  });
  await work.delete(message);
  clock.advance(0);
  expect(heard).toBe(1);
});

test('an AWS service sends without the API front, and peeking changes nothing', async () => {
  const { queue, sqs } = createSqsFixture();
  const inbox = await queue('inbox');
  sqs.controls.send(inboxArn, { MessageBody: 'from a rule' });
  expect(sqs.controls.peek(inboxArn)).toMatchObject([
    { body: 'from a rule', state: 'visible', receiveCount: 0 },
  ]);
  expect(bodies(await inbox.receive())).toEqual(['from a rule']);
  expect(() => sqs.controls.send('arn:aws:sqs:eu-west-1:123456789012:no', { MessageBody: 'x' })).toThrow(
    'The specified queue does not exist',
  );
});
