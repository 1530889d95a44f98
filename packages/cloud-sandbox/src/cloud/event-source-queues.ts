import type { SQSClient } from '@aws-sdk/client-sqs';
import { DeleteMessageBatchCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { EventSourceQueues } from '../lambda/event-source-queues.ts';
import type { Account } from './account.ts';

/**
 * Lambda's pollers as clients of SQS: they sign with a session of the function's role and come through the front, so that a
 * role without the rights to its own queue is refused here as on AWS.
 */
export function createEventSourceQueues(
  account: Account,
  clientOf: (roleArn: string) => SQSClient,
): EventSourceQueues {
  const { controls } = account.sqs;
  return {
    receive: async ({ queueArn, roleArn, maximumMessages }) => {
      const answer = await clientOf(roleArn).send(
        new ReceiveMessageCommand({
          QueueUrl: controls.queueUrl(queueArn),
          MaxNumberOfMessages: maximumMessages,
          WaitTimeSeconds: 0,
          MessageSystemAttributeNames: ['All'],
          MessageAttributeNames: ['All'],
        }),
      );
      return answer.Messages ?? [];
    },
    deleteMessages: async ({ queueArn, roleArn, receiptHandles }) => {
      await clientOf(roleArn).send(
        new DeleteMessageBatchCommand({
          QueueUrl: controls.queueUrl(queueArn),
          Entries: receiptHandles.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle })),
        }),
      );
    },
    onVisible: (queueArn, callback) => controls.onVisible(queueArn, callback),
  };
}
