import { describe, expect, it } from 'vitest';
import { noWiring } from '../../src/cloud/no-wiring.ts';
import type { Weather } from '../../src/cloud/strike.ts';
import type { CreateHandler } from '../../src/lambda/function-host.ts';
import { createSandbox } from '../../src/sandbox.ts';
import { accountId, functionArn, queueArnOf, region, workerWiring } from '../lambda/support/lambda-world.ts';

/** A queue with a function behind it. */
function fixture(weather: Weather, worker: CreateHandler, queueName = 'work.fifo') {
  const [queueArn, queueUrl] = [queueArnOf(queueName), `https://sqs/${accountId}/${queueName}`];
  const sqsRights = { Effect: 'Allow', Action: 'sqs:*', Resource: '*' };
  const sandbox = createSandbox({
    weather,
    functions: { worker },
    wiring: {
      ...noWiring({ accountId, region }),
      functions: [workerWiring],
      roles: [
        {
          roleName: 'drover-worker',
          roleArn: workerWiring.roleArn,
          trustPolicy: { Statement: [] },
          policies: [{ policyName: 'sqs', document: { Statement: [sqsRights] } }],
        },
      ],
      queues: [{ queueName, queueUrl, queueArn, attributes: { FifoQueue: 'true', VisibilityTimeout: '60' } }],
      eventSourceMappings: [
        {
          eventSourceArn: queueArn,
          functionArn,
          enabled: true,
          batchSize: 10,
          maximumBatchingWindowSeconds: 0,
          maximumConcurrency: 2,
          reportBatchItemFailures: true,
        },
      ],
    },
  });
  const send = (): void => {
    const group = { MessageGroupId: 'a', MessageDeduplicationId: 'a' };
    sandbox.account.sqs.controls.send(queueArn, { MessageBody: 'work', ...group });
  };
  return { sandbox, send };
}

/** The receive counts of the messages that a function gets, with the seconds since the first message was sent. */
function received(weather: Weather) {
  const counts: [seconds: number, receiveCount: string][] = [];
  let startedAt = 0;
  const { sandbox, send } = fixture(weather, ({ clock }) => async (event) => {
    const { Records } = event as { Records: { attributes: { ApproximateReceiveCount: string } }[] };
    for (const { attributes } of Records)
      counts.push([Math.round((clock.now() - startedAt) / 1000), attributes.ApproximateReceiveCount]);
    return {};
  });
  startedAt = sandbox.clock.now();
  send();
  return { sandbox, counts };
}

describe('a FIFO queue delivers a message', () => {
  const once = (operation: string, kind: 'fail-before' | 'fail-after'): Weather => {
    let hasStruck = false;
    return {
      pollerStrike: ({ what }) => {
        if (hasStruck || what !== `sqs ${operation}`) return undefined;
        hasStruck = true;
        return { kind };
      },
    };
  };

  it('again after its visibility timeout if the response to a receive was lost', async () => {
    const { sandbox, counts } = received(once('ReceiveMessage', 'fail-after'));
    await sandbox.pass(59);
    expect(counts).toEqual([]);
    await sandbox.pass(10);
    expect(counts).toEqual([[60, '2']]);
  });

  it('again if it was processed and could not be deleted', async () => {
    const { sandbox, counts } = received(once('DeleteMessageBatch', 'fail-before'));
    await sandbox.pass(70);
    expect(counts).toEqual([
      [0, '1'],
      [60, '2'],
    ]);
  });

  it('only once if nothing fails', async () => {
    const { sandbox, counts } = received({});
    await sandbox.pass(200);
    expect(counts).toEqual([[0, '1']]);
  });
});

it('the clocks of a function and of the cluster can differ from the clock of AWS', async () => {
  const offsets: Record<string, number> = { worker: 90_000, kubernetes: -45_000 };
  const seen: number[] = [];
  const { sandbox, send } = fixture(
    { clockOffsetMilliseconds: (part) => offsets[part] ?? 0 },
    ({ clock }) =>
      async () =>
        void seen.push(clock.now()),
  );
  const now = sandbox.clock.now();
  send();
  await sandbox.settle();
  await sandbox.pass(0);
  await sandbox.fetch('/api/v1/namespaces', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'made' } }),
  });
  const made = sandbox.kubernetes.store.of('namespaces').get(undefined, 'made');
  expect(seen).toEqual([now + 90_000]);
  expect(Date.parse(made?.metadata.creationTimestamp ?? '')).toBe(now - 45_000);
});
