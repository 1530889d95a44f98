import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { createSqs } from '../../../../local/aws/sqs/sqs.ts';
import { createRandom } from '../../../../local/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, createTestFront, region } from '../support/test-front.ts';

test('the SDK creates a queue, sends, receives and deletes through the in-process door', async () => {
  const clock = createManualClock();
  const sqs = createSqs({ clock, random: createRandom(1), accountId, region });
  const client = new SQSClient(createTestFront({ services: [sqs], clock }).clientOptions);

  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'inbox' }));
  expect(QueueUrl).toBe(`https://sqs.eu-west-1.amazonaws.com/${accountId}/inbox`);
  await client.send(
    new SendMessageCommand({
      QueueUrl,
      MessageBody: 'hello & <goodbye> ✓',
      MessageAttributes: { kind: { DataType: 'String', StringValue: 'test' } },
    }),
  );
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    }),
  );
  expect(Messages).toMatchObject([
    {
      Body: 'hello & <goodbye> ✓',
      Attributes: { ApproximateReceiveCount: '1' },
      MessageAttributes: { kind: { StringValue: 'test' } },
    },
  ]);
  await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle }));
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
  );
  expect(Attributes).toEqual({ ApproximateNumberOfMessages: '0' });
});
