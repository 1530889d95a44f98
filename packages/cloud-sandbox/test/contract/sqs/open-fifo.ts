import { CreateQueueCommand, GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { queueHandle } from '../../aws/support/queue-fixture.ts';
import { newName } from '../support/new-name.ts';

/** A new FIFO queue, by default with a visibility timeout of 30 s and content-based deduplication. */
export async function openFifo(client: SQSClient, attributes: Readonly<Record<string, string>> = {}) {
  const defaults = { FifoQueue: 'true', ContentBasedDeduplication: 'true', VisibilityTimeout: '30' };
  const { QueueUrl = '' } = await client.send(
    new CreateQueueCommand({ QueueName: `${newName()}.fifo`, Attributes: { ...defaults, ...attributes } }),
  );
  const AttributeNames = ['QueueArn' as const];
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return { ...queueHandle(client, QueueUrl), arn: Attributes?.QueueArn ?? '' };
}
