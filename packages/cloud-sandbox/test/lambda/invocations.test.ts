import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { beforeAll, expect, test } from 'vitest';
import { createLambdaApi } from '../../src/aws/lambda/lambda-api.ts';
import { extendLineage, hopsOf } from '../../src/lambda/lineage.ts';
import { createRandom } from '../../src/simulation/random.ts';
import { createTestFront, credentials, region } from '../aws/support/test-front.ts';
import { createLambdaWorld, elapse, functionArn, queueArnOf, workerWiring } from './support/lambda-world.ts';

test('a function is killed at its timeout, and its later calls have no effect', async () => {
  const lines: string[] = [];
  const world = createLambdaWorld({
    create: (host) => async () => {
      await new Promise((resume) => world.clock.after(11_000, () => resume(null)));
      host.writeLine('too late');
      return {};
    },
    host: () => ({ writeLine: (line) => void lines.push(line) }),
  });
  world.send('a');
  world.lambda.start();
  await elapse(world.clock, 15);
  expect(world.reports).toMatchObject([{ durationMilliseconds: 10_000, outcome: { kind: 'timed-out' } }]);
  expect(world.waiting()).toEqual(['a']);
  expect(lines).toEqual([]);
});

test('a killed function never receives the answer of its pending call', async () => {
  const heard: unknown[] = [];
  const world = createLambdaWorld({
    create: (host) => async () => {
      const response = await host.sendHttp({
        method: 'GET',
        url: 'https://api',
        headers: {},
        timeoutMilliseconds: 1,
      });
      heard.push(response);
      return {};
    },
    host: ({ clock }) => ({
      sendHttp: () =>
        new Promise((answer) => {
          clock.after(20_000, () => answer({ status: 200, headers: {}, body: '' }));
        }),
    }),
  });
  world.send('a');
  world.lambda.start();
  await elapse(world.clock, 30);
  expect(world.outcomes()).toEqual(['timed-out']);
  expect(heard).toEqual([]);
});

test('the first invocation is a cold start, the next one shares its memory, and a recycled one starts cold', async () => {
  const world = createLambdaWorld({
    create: () => {
      let calls = 0;
      return async () => ({ calls: (calls += 1) });
    },
  });
  expect(await world.lambda.invoke('worker', {})).toEqual({ kind: 'succeeded', result: { calls: 1 } });
  expect(await world.lambda.invoke('worker', {})).toEqual({ kind: 'succeeded', result: { calls: 2 } });
  world.lambda.recycle();
  expect(await world.lambda.invoke('worker', {})).toEqual({ kind: 'succeeded', result: { calls: 1 } });
  expect(world.reports.map(({ coldStart }) => coldStart)).toEqual([true, false, true]);
});

test('a function that cannot start fails its invocation', async () => {
  const world = createLambdaWorld({
    create: () => {
      throw new RangeError('the environment is not usable');
    },
  });
  expect(await world.lambda.invoke('worker', {})).toMatchObject({
    kind: 'failed',
    errorType: 'RangeError',
    message: 'the environment is not usable',
  });
});

test('a function can read its remaining time', async () => {
  const remaining: number[] = [];
  const world = createLambdaWorld({
    create: () => async (_, context) => {
      remaining.push(context.getRemainingTimeInMillis());
      await new Promise((resume) => world.clock.after(4000, () => resume(null)));
      remaining.push(context.getRemainingTimeInMillis());
    },
  });
  void world.lambda.invoke('worker', {});
  await elapse(world.clock, 5);
  expect(remaining).toEqual([10_000, 6000]);
});

test('timeouts of functions scale with the speed of simulated time', async () => {
  const world = createLambdaWorld({ create: () => () => new Promise(() => {}), speed: 10 });
  const answer = world.lambda.invoke('worker', {});
  await elapse(world.clock, 99);
  expect(world.reports).toEqual([]);
  await elapse(world.clock, 2);
  expect(await answer).toMatchObject({ kind: 'timed-out' });
});

test('the account throttles what exceeds its concurrency, and the message waits', async () => {
  const world = createLambdaWorld({ create: () => async () => ({}), accountConcurrency: 0 });
  world.send('a');
  world.lambda.start();
  await elapse(world.clock, 1);
  expect(world.outcomes()).toEqual(['throttled']);
  expect(world.waiting()).toEqual(['a']);
});

test('a flood of other functions does not throttle one with reserved concurrency, which is its maximum too', async () => {
  const flooded = {
    ...workerWiring,
    name: 'web',
    functionName: 'drover-web',
    functionArn: `${functionArn}-web`,
  };
  const outcomesWith = async (reservedConcurrency?: number) => {
    const world = createLambdaWorld({
      create: () => () => new Promise(() => {}),
      functions: [flooded],
      function: { reservedConcurrency },
      accountConcurrency: 6,
      mapping: { enabled: false },
    });
    for (const name of ['web', 'web', 'web', 'web', 'web', 'web', 'worker', 'worker', 'worker'])
      void world.lambda.invoke(name, {});
    await elapse(world.clock, 11);
    return world.reports.flatMap(({ functionName, outcome }) =>
      outcome.kind === 'throttled' ? functionName : [],
    );
  };
  expect(await outcomesWith()).toEqual(['drover-worker', 'drover-worker', 'drover-worker']);
  expect(await outcomesWith(2)).toEqual(['drover-web', 'drover-web', 'drover-worker']);
});

test.each([
  [1000, 900, undefined],
  [1000, 901, 100],
  [10, 1, 10],
])(
  'an account of %i accepts a reservation of %i, or must keep %s',
  async (limit, reservedConcurrency, minimum) => {
    const { controls, operations } = createLambdaApi(limit);
    const deploy = () => controls.deploy([{ ...workerWiring, reservedConcurrency }]);
    if (minimum !== undefined) return expect(deploy).toThrow(`below its minimum value of [${minimum}]`);
    deploy();
    expect(operations.GetAccountSettings().AccountLimit.UnreservedConcurrentExecutions).toBe(100);
    expect(operations.GetFunctionConcurrency({ FunctionName: workerWiring.functionName })).toEqual({
      ReservedConcurrentExecutions: reservedConcurrency,
    });
  },
);

/** The caller with which EventBridge invokes. */
const schedule = {
  service: 'events.amazonaws.com',
  sourceArn: 'arn:aws:events:eu-west-1:123456789012:rule/drover-sweep',
};

test('an event is retried after one and two minutes, and then sent to the failure destination', async () => {
  const times: number[] = [];
  const world = createLambdaWorld({
    create: () => async () => {
      times.push(world.clock.now());
      throw new Error('the API server is away');
    },
  });
  world.lambda.accept({ functionArn, body: '{"source":"aws.events"}', sender: schedule });
  await elapse(world.clock, 200);
  expect(times.map((time) => (time - (times[0] ?? 0)) / 1000)).toEqual([0, 60, 180]);
  expect(world.failures()).toMatchObject([
    {
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: { source: 'aws.events' },
      responsePayload: { errorMessage: 'the API server is away' },
    },
  ]);
});

test('an event that exceeds its maximum age is not retried', async () => {
  const world = createLambdaWorld({
    create: () => () => Promise.reject(new Error('broken')),
    function: {
      asynchronous: {
        maximumRetryAttempts: 2,
        maximumEventAgeSeconds: 100,
        onFailureArn: queueArnOf('failures'),
      },
    },
  });
  world.lambda.accept({ functionArn, body: '{}', sender: schedule });
  await elapse(world.clock, 300);
  expect(world.outcomes()).toEqual(['failed', 'failed']);
  expect(world.failures()).toMatchObject([{ requestContext: { condition: 'EventAgeExceeded' } }]);
});

test('a service without a permission in the template cannot invoke a function', () => {
  const world = createLambdaWorld({ create: () => async () => ({}) });
  const sender = { service: 'sns.amazonaws.com', sourceArn: 'arn:aws:sns:eu-west-1:123456789012:hooks' };
  expect(() => world.lambda.accept({ functionArn, body: '{}', sender })).toThrow(
    'sns.amazonaws.com is not permitted to invoke drover-worker',
  );
});

/** The first call of the SDK in a process reads files, which takes real time: the simulated one does not wait for it. */
beforeAll(async () => {
  const handle = () => Promise.reject(new Error('not sent'));
  const client = new SQSClient({ region, credentials, requestHandler: { handle }, maxAttempts: 1 });
  const command = new SendMessageBatchCommand({ QueueUrl: 'https://queue.test', Entries: [] });
  await expect(client.send(command)).rejects.toThrow('not sent');
});

/** A function that sends every message it gets to its own queue again, for 100 rounds, with a client that reads no files. */
function createLoop(recursiveLoop: 'Allow' | 'Terminate') {
  const world = createLambdaWorld({
    create: (host) => async (event) => {
      const client = new SQSClient({
        region,
        credentials,
        requestHandler: host.awsRequestHandler,
        maxAttempts: 1,
      });
      const rounds = (event as SQSEvent).Records.map(({ body }) => Number(body)).filter(
        (round) => round < 100,
      );
      const Entries = rounds.map((round) => ({ Id: String(round), MessageBody: String(round + 1) }));
      if (Entries.length > 0)
        await client.send(new SendMessageBatchCommand({ QueueUrl: world.queueUrl, Entries }));
      return {};
    },
    function: { recursiveLoop },
    host: ({ sqs, clock }) => ({
      environment: { AWS_REGION: region },
      awsCredentials: () => credentials,
      awsRequestHandler: createTestFront({ services: [sqs], clock }).clientOptions.requestHandler,
    }),
  });
  return world;
}

test('Lambda stops a function that sends to its own queue after sixteen rounds', async () => {
  const world = createLoop('Terminate');
  world.send('1');
  world.lambda.start();
  await elapse(world.clock, 30);
  expect(world.outcomes().filter((kind) => kind === 'succeeded')).toHaveLength(16);
  expect(world.outcomes().at(-1)).toBe('loop-stopped');
  expect(world.waiting()).toEqual(['17']);
});

test('a function that is allowed to loop is not stopped', async () => {
  const world = createLoop('Allow');
  world.send('1');
  world.lambda.start();
  await elapse(world.clock, 120);
  expect(world.outcomes().every((kind) => kind === 'succeeded')).toBe(true);
  expect(world.waiting()).toEqual([]);
});

test('the longest chain of a batch decides whether Lambda stops a loop', () => {
  const random = createRandom(1);
  const once = extendLineage([], functionArn, random);
  const twice = extendLineage([once], functionArn, random);
  expect(hopsOf([once, twice], functionArn)).toBe(2);
  expect(hopsOf([extendLineage([once, twice], functionArn, random)], functionArn)).toBe(3);
  expect(hopsOf([twice], `${functionArn}-other`)).toBe(0);
});
