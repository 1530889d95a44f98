import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

const counts = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** How many messages a queue holds: visible, in flight and delayed. */
export async function countMessages(sqs: SQSClient, QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counts] }),
  );
  return counts.reduce((sum, count) => sum + Number(Attributes[count] ?? 0), 0);
}
