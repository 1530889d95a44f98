import type { SQSEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createLambdaWorld, elapse, settle } from './support/lambda-world.ts';

const bodiesOf = (event: unknown): string[] => (event as SQSEvent).Records.map(({ body }) => body);
const failureOf = (event: unknown, body: string) => ({
  batchItemFailures: (event as SQSEvent).Records.filter((record) => record.body === body).map(
    ({ messageId }) => ({ itemIdentifier: messageId }),
  ),
});

test('messages arrive in batches and are deleted after the function has answered', async () => {
  const batches: string[][] = [];
  const world = createLambdaWorld({
    create: () => async (event) => void batches.push(bodiesOf(event)),
    mapping: { batchSize: 3 },
  });
  for (const body of ['a', 'b', 'c', 'd']) world.send(body);
  world.lambda.start();
  await elapse(world.clock, 1);
  expect(batches).toEqual([['a', 'b', 'c'], ['d']]);
  expect(world.waiting()).toEqual([]);
});

test('a record has the body, the source and the attributes of its message', async () => {
  const events: SQSEvent[] = [];
  const world = createLambdaWorld({
    create: () => async (event) => void events.push(event as SQSEvent),
    queueName: 'work.fifo',
  });
  world.send('hello', 'i-1');
  world.lambda.start();
  await elapse(world.clock, 1);
  expect(events[0]?.Records[0]).toMatchObject({
    body: 'hello',
    eventSource: 'aws:sqs',
    awsRegion: 'eu-west-1',
    eventSourceARN: 'arn:aws:sqs:eu-west-1:123456789012:work.fifo',
    attributes: { ApproximateReceiveCount: '1', MessageGroupId: 'i-1' },
  });
});

test('only the messages that are reported as failed return after their visibility timeout', async () => {
  const batches: string[][] = [];
  const world = createLambdaWorld({
    create: () => async (event) => {
      batches.push(bodiesOf(event));
      return batches.length === 1 ? failureOf(event, 'b') : {};
    },
  });
  for (const body of ['a', 'b', 'c']) world.send(body);
  world.lambda.start();
  await elapse(world.clock, 59);
  expect(world.waiting()).toEqual(['b']);
  await elapse(world.clock, 2);
  expect(batches).toEqual([['a', 'b', 'c'], ['b']]);
  expect(world.waiting()).toEqual([]);
});

test('a visibility timeout that the function sets is kept after it reports the message as failed', async () => {
  const times: number[] = [];
  const world = createLambdaWorld({
    create: () => async (event) => {
      times.push(world.clock.now());
      const [record] = (event as SQSEvent).Records;
      world.sqs.operations.ChangeMessageVisibility({
        QueueUrl: world.queueUrl,
        ReceiptHandle: record?.receiptHandle,
        VisibilityTimeout: 7,
      });
      return times.length === 1 ? failureOf(event, 'a') : {};
    },
    queueName: 'work.fifo',
  });
  world.send('a', 'i-1');
  world.lambda.start();
  await elapse(world.clock, 10);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(7000);
});

test('an invalid answer fails the whole batch', async () => {
  const world = createLambdaWorld({
    create: () => async () => ({ batchItemFailures: [{ itemIdentifier: 'no such message' }] }),
  });
  world.send('a');
  world.send('b');
  world.lambda.start();
  await elapse(world.clock, 2);
  expect(world.waiting()).toEqual(['a', 'b']);
});

test('the answer is ignored without ReportBatchItemFailures', async () => {
  const world = createLambdaWorld({
    create: () => async (event) => failureOf(event, 'a'),
    mapping: { reportBatchItemFailures: false },
  });
  world.send('a');
  world.lambda.start();
  await elapse(world.clock, 1);
  expect(world.waiting()).toEqual([]);
});

test('messages of one group are processed one invocation at a time, and other groups continue', async () => {
  const working = new Set<string>();
  const overlaps: string[] = [];
  const world = createLambdaWorld({
    create: () => async (event) => {
      const groups = (event as SQSEvent).Records.map(({ attributes }) => attributes.MessageGroupId ?? '');
      for (const group of groups) (working.has(group) ? overlaps : []).push(group);
      for (const group of groups) working.add(group);
      if (groups.includes('stuck'))
        await new Promise((resume) => world.clock.after(8000, () => resume(null)));
      for (const group of groups) working.delete(group);
      return {};
    },
    queueName: 'work.fifo',
    mapping: { batchSize: 1, maximumConcurrency: 3 },
  });
  world.send('1', 'stuck');
  world.send('2', 'stuck');
  for (const group of ['a', 'b', 'c', 'd']) world.send(group, group);
  world.lambda.start();
  await elapse(world.clock, 1);
  expect(world.waiting()).toEqual(['1', '2']);
  await elapse(world.clock, 20);
  expect(world.waiting()).toEqual([]);
  expect(overlaps).toEqual([]);
});

test('MaximumConcurrency limits the concurrent invocations', async () => {
  let most = 0;
  const world = createLambdaWorld({
    create: () => async () => {
      most = Math.max(most, world.lambda.underWay());
      await new Promise((resume) => world.clock.after(2000, () => resume(null)));
      return {};
    },
    mapping: { batchSize: 1, maximumConcurrency: 4 },
  });
  for (let index = 0; index < 20; index += 1) world.send(String(index));
  world.lambda.start();
  await elapse(world.clock, 11);
  expect(most).toBe(4);
  expect(world.waiting()).toEqual([]);
});

test('a batch of a function that throws is delivered again after its visibility timeout', async () => {
  let calls = 0;
  const world = createLambdaWorld({
    create: () => async () => {
      calls += 1;
      if (calls === 1) throw new TypeError('broken');
      return {};
    },
  });
  world.send('a');
  world.lambda.start();
  await elapse(world.clock, 62);
  expect(world.outcomes()).toEqual(['failed', 'succeeded']);
  expect(world.waiting()).toEqual([]);
});

test('fewer invocations run at once while all of them fail', async () => {
  let most = 0;
  const world = createLambdaWorld({
    create: () => async () => {
      if (world.clock.now() > start + 100_000) most = Math.max(most, world.lambda.underWay());
      await new Promise((resume) => world.clock.after(1000, () => resume(null)));
      throw new Error('broken');
    },
    mapping: { batchSize: 1, maximumConcurrency: 8 },
  });
  const start = world.clock.now();
  for (let index = 0; index < 16; index += 1) world.send(String(index));
  world.lambda.start();
  await elapse(world.clock, 180);
  expect(most).toBe(1);
});

test('a batching window collects messages', async () => {
  const batches: string[][] = [];
  const world = createLambdaWorld({
    create: () => async (event) => void batches.push(bodiesOf(event)),
    mapping: { maximumBatchingWindowSeconds: 5 },
  });
  world.lambda.start();
  world.send('a');
  await elapse(world.clock, 2);
  world.send('b');
  await elapse(world.clock, 6);
  expect(batches).toEqual([['a', 'b']]);
});

test('a stopped poller receives no messages', async () => {
  const world = createLambdaWorld({ create: () => async () => ({}) });
  world.lambda.start();
  world.lambda.stop();
  await settle();
  world.send('a');
  await elapse(world.clock, 2);
  expect(world.waiting()).toEqual(['a']);
});
