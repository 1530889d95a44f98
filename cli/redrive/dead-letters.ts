import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** A message that was parked. */
export interface DeadLetter {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  /** The message group of a FIFO queue: the subject of the pass. */
  readonly groupId: string | undefined;
  /** Why Drover parked it. SQS gives none to one that it moved after too many receives. */
  readonly reason: string | undefined;
  /** The message whose copy this is. */
  readonly originalMessageId: string | undefined;
  /** ISO 8601 in UTC. */
  readonly parkedAt: string;
  /** The queue from which SQS itself moved it; undefined if Drover parked it. */
  readonly sourceQueue: string | undefined;
}

/** A dead-letter queue, and where its messages came from. */
export interface DeadLetterQueue {
  readonly name: string;
  readonly url: string;
  readonly sourceUrl: string;
}

/**
 * Any queue of the account and region can name a dead-letter queue as its own, and its senders then put messages here. SQS itself writes the
 * name of the source.
 */
export const isForeign = (
  { sourceUrl }: Pick<DeadLetterQueue, 'sourceUrl'>,
  { sourceQueue }: Pick<DeadLetter, 'sourceQueue'>,
): boolean => sourceQueue !== undefined && sourceQueue !== sourceUrl.split('/').at(-1);

/** How long messages are hidden that were received: the time to move ten. */
const hiddenSeconds = 60;

/** Up to ten messages that are hidden for a minute. */
export async function receive(sqs: SQSClient, { url }: DeadLetterQueue): Promise<readonly DeadLetter[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: hiddenSeconds,
      WaitTimeSeconds: 0,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['MessageGroupId', 'SentTimestamp', 'DeadLetterQueueSourceArn'],
    }),
  );
  return Messages.map(toDeadLetter);
}

function toDeadLetter({ MessageId = '', ReceiptHandle = '', Body = '', ...message }: Message): DeadLetter {
  const { Attributes, MessageAttributes } = message;
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    groupId: Attributes?.MessageGroupId,
    reason: MessageAttributes?.['reason']?.StringValue,
    originalMessageId: MessageAttributes?.['originalMessageId']?.StringValue,
    parkedAt: new Date(Number(Attributes?.SentTimestamp ?? 0)).toISOString(),
    sourceQueue: Attributes?.DeadLetterQueueSourceArn?.split(':').at(-1),
  };
}

/** Visible and hidden, about. */
export async function countMessages(sqs: SQSClient, { url }: DeadLetterQueue): Promise<number> {
  const counts = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...counts] }),
  );
  return counts.reduce((sum, count) => sum + Number(Attributes[count] ?? 0), 0);
}

/**
 * Sends a message to where it came from, in its group, and resolves with its new id. Sent twice within five minutes, it arrives once in a FIFO
 * queue. Elsewhere it arrives twice, which intake makes one subject of.
 */
export async function sendBack(
  sqs: SQSClient,
  { sourceUrl }: DeadLetterQueue,
  { messageId, body, groupId }: DeadLetter,
): Promise<string | undefined> {
  const { MessageId } = await sqs.send(
    new SendMessageCommand({
      QueueUrl: sourceUrl,
      MessageBody: body,
      ...(groupId !== undefined && {
        MessageGroupId: groupId,
        ...(sourceUrl.endsWith('.fifo') && { MessageDeduplicationId: `redriven-${messageId}` }),
      }),
    }),
  );
  return MessageId;
}

export async function remove(sqs: SQSClient, { url }: DeadLetterQueue, letter: DeadLetter): Promise<void> {
  await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: letter.receiptHandle }));
}

/** Shows a message again at once; otherwise it is shown after a minute. */
export async function release(sqs: SQSClient, { url }: DeadLetterQueue, letter: DeadLetter): Promise<void> {
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: url,
      ReceiptHandle: letter.receiptHandle,
      VisibilityTimeout: 0,
    }),
  );
}
