import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import type { CallDescription } from '../../../src/aws/front/describe-call.ts';
import type { Fault } from '../../../src/aws/front/in-process.ts';
import { AwsError } from '../../../src/aws/service.ts';
import { createSqs } from '../../../src/aws/sqs/sqs.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, createTestFront, credentials, region } from '../support/test-front.ts';

function fixture(onCall: (call: CallDescription) => Fault, maxAttempts = 1) {
  const clock = createManualClock();
  const sqs = createSqs({ clock, random: createRandom(1), accountId, region });
  sqs.operations.CreateQueue({ QueueName: 'inbox' });
  const { clientOptions } = createTestFront({ services: [sqs], clock, onCall });
  const client = new SQSClient({ ...clientOptions, maxAttempts });
  const QueueUrl = sqs.controls.queueUrl('inbox');
  return {
    client,
    QueueUrl,
    send: () => client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' })),
    stored: () => sqs.controls.peek('inbox').length,
  };
}

test('a fault before the call has no effect, and a fault after the call keeps its effect', async () => {
  let fault: Fault = 'fail-before';
  const { send, stored } = fixture(() => fault);
  await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(stored()).toBe(0);
  fault = 'fail-after';
  await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(stored()).toBe(1);
});

test('the SDK retries a broken connection, and the fault hook runs for every attempt', async () => {
  const seen: CallDescription[] = [];
  const { send, stored } = fixture((call) => {
    seen.push(call);
    return seen.length === 1 ? 'fail-before' : undefined;
  }, 2);
  await send();
  expect(stored()).toBe(1);
  expect(seen).toHaveLength(2);
  expect(seen[0]).toMatchObject({
    service: 'sqs',
    operation: 'SendMessage',
    accessKeyId: credentials.accessKeyId,
    input: { MessageBody: 'x' },
  });
});

test('a fault can replace the answer by an AWS error', async () => {
  const { send, stored } = fixture(
    () => new AwsError({ code: 'RequestThrottled', message: 'slow down', statusCode: 400 }),
  );
  await expect(send()).rejects.toMatchObject({ name: 'RequestThrottled', message: 'slow down' });
  expect(stored()).toBe(0);
});

test('a call without an answer ends when its caller aborts it', async () => {
  const { client, QueueUrl } = fixture(() => 'never-answer');
  const abort = new AbortController();
  const waiting = client.send(new GetQueueAttributesCommand({ QueueUrl }), { abortSignal: abort.signal });
  setImmediate(() => abort.abort());
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
