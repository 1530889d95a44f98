import { expect, test } from 'vitest';
import { bodies, createSqsFixture, receiveCount } from '../support/queue-fixture.ts';

const redriveTo = (name: string, maxReceiveCount: number): Record<string, string> => ({
  RedrivePolicy: JSON.stringify({
    deadLetterTargetArn: `arn:aws:sqs:eu-west-1:123456789012:${name}`,
    maxReceiveCount,
  }),
});

test('a message goes to the dead-letter queue instead of being received once more than maxReceiveCount', async () => {
  const { queue, clock } = createSqsFixture();
  const dead = await queue('dead');
  const inbox = await queue('inbox', { ...redriveTo('dead', 2), VisibilityTimeout: '10' });
  const { MessageId } = await inbox.send('poison');
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    expect(receiveCount((await inbox.receive())[0])).toBe(attempt);
    clock.advance(10);
  }
  expect(await inbox.receive()).toEqual([]);
  const [parked] = await dead.receive();
  expect(parked).toMatchObject({
    MessageId,
    Attributes: { DeadLetterQueueSourceArn: 'arn:aws:sqs:eu-west-1:123456789012:inbox' },
  });
});

test('a FIFO queue delivers the next message of the group after one has gone to the dead-letter queue', async () => {
  const { queue, clock } = createSqsFixture();
  const fifo = { FifoQueue: 'true', ContentBasedDeduplication: 'true', VisibilityTimeout: '10' };
  const dead = await queue('dead.fifo', fifo);
  const work = await queue('work.fifo', { ...fifo, ...redriveTo('dead.fifo', 1) });
  await work.send('poison', { MessageGroupId: 'a' });
  await work.receive();
  await work.send('good', { MessageGroupId: 'a' });
  clock.advance(10);
  expect(bodies(await work.receive())).toEqual(['good']);
  expect((await dead.receive())[0]?.Attributes?.MessageGroupId).toBe('a');
});

test('retention in the dead-letter queue counts from the first sending (standard queues)', async () => {
  const { queue, clock } = createSqsFixture();
  const dead = await queue('dead', { MessageRetentionPeriod: '100' });
  const inbox = await queue('inbox', { ...redriveTo('dead', 1), VisibilityTimeout: '60' });
  await inbox.send('poison');
  await inbox.receive();
  clock.advance(60);
  await inbox.receive();
  clock.advance(39);
  expect(await dead.receive({ VisibilityTimeout: 0 })).toHaveLength(1);
  clock.advance(1);
  expect(await dead.receive()).toEqual([]);
});

test('maxReceiveCount is 10 by default', async () => {
  const { queue, sqs } = createSqsFixture();
  await queue('dead');
  const deadLetterTargetArn = 'arn:aws:sqs:eu-west-1:123456789012:dead';
  const inbox = await queue('inbox', { RedrivePolicy: JSON.stringify({ deadLetterTargetArn }) });
  await inbox.send('poison');
  for (let attempt = 0; attempt < 11; attempt += 1) await inbox.receive({ VisibilityTimeout: 0 });
  expect(sqs.controls.peek('dead')).toHaveLength(1);
});

test('a dead-letter queue must exist, have the same type and allow the source', async () => {
  const { queue } = createSqsFixture();
  await queue('dead.fifo', { FifoQueue: 'true' });
  await queue('closed', { RedriveAllowPolicy: JSON.stringify({ redrivePermission: 'denyAll' }) });
  await expect(queue('a', redriveTo('nowhere', 1))).rejects.toThrow('Dead letter target does not exist');
  await expect(queue('a', redriveTo('dead.fifo', 1))).rejects.toThrow('same type of queue');
  await expect(queue('a', redriveTo('closed', 1))).rejects.toThrow('does not allow');
  await expect(queue('a', redriveTo('closed', 1001))).rejects.toThrow('maxReceiveCount');
});
