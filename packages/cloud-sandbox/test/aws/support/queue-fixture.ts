import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { createSqs } from '../../../src/aws/sqs/sqs.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from './manual-clock.ts';
import { accountId, createTestFront, region } from './test-front.ts';

/** The simulated SQS in this process, with a client of the SDK. */
export function createSqsFixture(
  options: { readonly duplicateChance?: number; readonly longPolling?: boolean } = {},
) {
  const clock = createManualClock();
  const sqs = createSqs({ clock, random: createRandom(1), accountId, region, ...options });
  const client = new SQSClient(createTestFront({ services: [sqs], clock }).clientOptions);
  const queue = async (name: string, attributes: Record<string, string> = {}) => {
    const created = await client.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
    return queueHandle(client, created.QueueUrl ?? '');
  };
  return { clock, sqs, client, queue };
}

/** Short functions for what tests do with one queue. */
export function queueHandle(client: SQSClient, QueueUrl: string) {
  return {
    url: QueueUrl,
    send: (MessageBody: string, options: Partial<SendMessageCommandInput> = {}) =>
      client.send(new SendMessageCommand({ QueueUrl, MessageBody, ...options })),
    receive: async (options: Partial<ReceiveMessageCommandInput> = {}): Promise<Message[]> => {
      const received = await client.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: 10,
          MessageSystemAttributeNames: ['All'],
          MessageAttributeNames: ['All'],
          ...options,
        }),
      );
      return received.Messages ?? [];
    },
    delete: (message: Message | undefined) =>
      client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle })),
    changeVisibility: (message: Message | undefined, VisibilityTimeout: number) =>
      client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl,
          ReceiptHandle: message?.ReceiptHandle,
          VisibilityTimeout,
        }),
      ),
  };
}

export const bodies = (messages: readonly Message[]): Array<string | undefined> =>
  messages.map(({ Body }) => Body);

export const receiveCount = (message: Message | undefined): number =>
  Number(message?.Attributes?.ApproximateReceiveCount);
