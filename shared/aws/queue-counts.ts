import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

const counts = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** The numbers of messages of a queue. */
export interface QueueCounts {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

export async function readCounts(sqs: SQSClient, QueueUrl: string): Promise<QueueCounts> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counts] }),
  );
  const [visible = 0, inFlight = 0, delayed = 0] = counts.map((count) => Number(Attributes[count] ?? 0));
  return { visible, inFlight, delayed };
}

export const messagesIn = ({ visible, inFlight, delayed }: QueueCounts): number =>
  visible + inFlight + delayed;

/** How many messages a queue holds: visible, in flight and delayed. */
export const countMessages = async (sqs: SQSClient, queueUrl: string): Promise<number> =>
  messagesIn(await readCounts(sqs, queueUrl));
